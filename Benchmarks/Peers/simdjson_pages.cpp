// Reads the benchmark's page by simdjson, in rounds that Benchmarks/bench asks for: a line names the work, the repetitions and how
// many are in flight, and gets the seconds of the clock and of the processor. The first line is empty. The argument is
// the page's file.
#include <simdjson.h>

#include <cstdio>
#include <cstring>
#include <ctime>

using namespace simdjson;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

// Every value is read once: numbers as numbers, strings unescaped and checked. Nothing is kept.
static size_t visit(ondemand::value value) {
  size_t sum = 0;
  switch (value.type()) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) sum += visit(element.value());
      return sum;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) sum += std::string_view(field.unescaped_key()).size() + visit(field.value());
      return sum;
    case ondemand::json_type::string: return std::string_view(value.get_string()).size();
    case ondemand::json_type::number: return size_t(double(value.get_double()));
    case ondemand::json_type::boolean: return bool(value.get_bool());
    case ondemand::json_type::null: return value.is_null() ? 1 : 0;
    default: return 0;
  }
}

int main(int count, char **words) {
  if (count != 2) return 64;
  padded_string page = padded_string::load(words[1]);
  ondemand::parser reader;
  dom::parser tree;
  size_t sum = 0;
  puts("");
  fflush(stdout);
  char line[256], name[64];
  long repetitions;
  while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%63s %ld", name, &repetitions) == 2) {
    double clock = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long number = 0; number < repetitions; number++) {
      if (strcmp(name, "dom") == 0) {
        sum += dom::element(tree.parse(page)).is_object();
      } else {
        ondemand::document document = reader.iterate(page);
        sum += visit(document.get_value());
      }
    }
    printf("%.9f %.9f\n", seconds(CLOCK_MONOTONIC) - clock, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    fflush(stdout);
  }
  return sum == 0;
}
