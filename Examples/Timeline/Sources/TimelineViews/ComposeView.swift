#if canImport(SwiftUI)
  import PhotosUI
  import SwiftUI
  import TimelineModels

  /// A post that the person is writing, with the counter and a photo.
  struct ComposeView: View {
    @Bindable var draft: ComposeModel
    let sent: (String) -> Void
    @State private var picked: PhotosPickerItem?

    var body: some View {
      NavigationStack {
        VStack(alignment: .leading, spacing: 12) {
          TextEditor(text: $draft.text)
          if !draft.excess.isEmpty {
            Text("Too much: \(String(draft.excess))").foregroundStyle(.red).lineLimit(2)
          }
          if draft.photo != nil {
            TextField("Describe the photo for those who cannot see it", text: $draft.altText)
            Button("Remove the photo", role: .destructive) { draft.photo = nil }
          }
          if let progress = draft.progress { ProgressView(value: progress) }
          if let problem = draft.problem { Text(problem).foregroundStyle(.red) }
        }
        .padding()
        .disabled(draft.isSending)
        .toolbar {
          ToolbarItem(placement: .primaryAction) {
            Button("Post") {
              Task { if let id = await draft.send() { sent(id) } }
            }
            .disabled(!draft.canSend)
          }
          ToolbarItem(placement: .status) {
            HStack {
              PhotosPicker(selection: $picked, matching: .images) { Label("Photo", systemImage: "photo") }
              Text("\(draft.remaining)")
                .monospacedDigit()
                .foregroundStyle(draft.remaining < 0 ? Color.red : Color.secondary)
            }
          }
        }
        .onChange(of: picked) { _, item in
          Task { await take(item) }
        }
      }
    }

    /// Writes the photo into a file, so that the upload can read it in pieces.
    private func take(_ item: PhotosPickerItem?) async {
      guard let item else { return }
      do {
        guard let data = try await item.loadTransferable(type: Data.self) else { return }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        draft.photo = ComposeModel.Photo(file: file)
      } catch {
        draft.problem = "The photo cannot be read: \(error.localizedDescription)"
      }
      picked = nil
    }
  }
#endif
