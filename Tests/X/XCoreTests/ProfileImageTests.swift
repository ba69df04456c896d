import Testing
import XCore

@Suite("Pictures of users") struct ProfileImageTests {
  @Test("An image's address in one size gives those in the others")
  func images() {
    let base = "https://pbs.twimg.com/profile_images/1/name_normal_x"
    #expect(ProfileImageSize.bigger.url(of: base + "_normal.jpg") == base + "_bigger.jpg")
    #expect(ProfileImageSize.original.url(of: base + "_400x400.jpg") == base + ".jpg")
    #expect(ProfileImageSize.large.url(of: base + ".jpg") == base + "_400x400.jpg")
    #expect(ProfileImageSize.mini.url(of: "https://a.example/x.y/name") == "https://a.example/x.y/name_mini")
    for size in ProfileImageSize.allCases {
      for other in ProfileImageSize.allCases {
        #expect(other.url(of: size.url(of: base + ".png")) == other.url(of: base + ".png"))
      }
    }
  }

  @Test("A banner's address gives those of all sizes") func banners() {
    let base = "https://pbs.twimg.com/profile_banners/1/1300000000"
    #expect(ProfileBannerSize.large.url(of: base) == base + "/1500x500")
    #expect(ProfileBannerSize.mobileRetina.url(of: base + "/") == base + "/mobile_retina")
    for size in ProfileBannerSize.allCases {
      #expect(ProfileBannerSize.iPad.url(of: size.url(of: base)) == base + "/ipad")
    }
  }
}
