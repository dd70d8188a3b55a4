// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianMirrorTest {
    private static final String DEB822 = """
            Types: deb
            # A third party, whose suite is none of Debian's.
            URIs: http://vendor.example/node
            Suites: nodistro
            Components: main

            Types: deb deb-src
            # a comment in a stanza
            URIs: http://mirror.example/debian
            Suites: bookworm bookworm-updates
            Components: main
            Signed-By: /usr/share/keyrings/archive.gpg

            Types: deb
            URIs: http://mirror.example/debian-security
            Suites: bookworm-security
            Components: main
            """;

    @Test
    void findsTheArchiveAmongDeb822Stanzas() {
        assertThat(DebianMirror.fromDeb822(DEB822))
                .contains(new DebianMirror("http://mirror.example/debian", "/usr/share/keyrings/archive.gpg"));
    }

    @Test
    void passesOverDisabledStanzasAndSourceOnlyOnes() {
        String text = DEB822.replace("Types: deb deb-src", "Enabled: no\nTypes: deb")
                + "\nTypes: deb-src\nURIs: http://source.example\nSuites: sid\nComponents: main\n";

        assertThat(DebianMirror.fromDeb822(text)).isEmpty();
    }

    @Test
    void keepsAnEmbeddedKeyWhole() {
        String key = "\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n -----END PGP PUBLIC KEY BLOCK-----";
        String text = "Types: deb\nURIs: http://m.example\nSuites: trixie\nComponents: main\nSigned-By:" + key + "\n";

        assertThat(DebianMirror.fromDeb822(text)).contains(new DebianMirror("http://m.example", key));
    }

    @Test
    void findsTheArchiveAmongOneLineSources() {
        String text = """
                # deb http://off.example/debian bookworm main
                deb http://vendor.example stable contrib
                deb-src http://source.example/debian bookworm main
                deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm main contrib # ours
                """;

        assertThat(DebianMirror.fromOneLineStyle(text))
                .contains(new DebianMirror("http://mirror.example/debian", "/k.gpg"));
    }

    @Test
    void readsEveryFileThatAptReads(@TempDir Path apt) throws Exception {
        assertThat(DebianMirror.in(apt)).isEmpty();
        Path parts = Files.createDirectory(apt.resolve("sources.list.d"));
        Files.writeString(parts.resolve("debian.sources.disabled"), DEB822);
        assertThat(DebianMirror.in(apt)).isEmpty();
        Files.writeString(parts.resolve("debian.sources"), DEB822);
        assertThat(DebianMirror.in(apt)).isPresent();
    }

    @Test
    void theEnvironmentTakesPrecedence() throws Exception {
        assertThat(DebianMirror.ofThisMachine(
                        Map.of("RDMA4J_DEBIAN_MIRROR", "http://m.example", "RDMA4J_DEBIAN_KEYRING", "/k.gpg")))
                .isEqualTo(new DebianMirror("http://m.example", "/k.gpg"));
    }

    @Test
    void writesASourceOfAnySuite() {
        assertThat(new DebianMirror("http://m.example", "/k.gpg").source("sid"))
                .isEqualTo("Types: deb\nURIs: http://m.example\nSuites: sid\nComponents: main\nSigned-By: /k.gpg\n");
        assertThat(new DebianMirror("http://m.example", "").source("sid")).doesNotContain("Signed-By");
        assertThat(new DebianMirror("http://debian.example/debian", "").source("bookworm-security"))
                .contains("URIs: http://debian.example/debian-security\n");
        assertThat(new DebianMirror("http://m.example/archive/debian/20261129T000000Z", "").source("bookworm-security"))
                .contains("URIs: http://m.example/archive/debian-security/20261129T000000Z\n");
    }

    @Test
    void anUnknownKernelIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> KernelRelease.of("5.10"))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("5.10")
                .hasMessageContaining("6.1, 6.12, 7.2");
    }

    @Test
    void aSuiteThatHasMovedOnIsNoticed() {
        assertThat(KernelRelease.SID.isSeriesOf("7.2.13+deb14-amd64")).isTrue();
        assertThat(KernelRelease.SID.isSeriesOf("7.2-amd64")).isTrue();
        assertThat(KernelRelease.SID.isSeriesOf("7.3.1+deb14-amd64")).isFalse();
        assertThat(KernelRelease.BOOKWORM.isSeriesOf("6.12.1+deb13-amd64")).isFalse();
    }

    @Test
    void dependenciesComeWithoutVersionsAndAlternatives() {
        String entry = "Package: linux-image-amd64\nDepends: linux-image-6.1.0-50-amd64 (= 6.1.176-1), a | b:any\n";

        assertThat(AptRoot.dependencies(entry)).containsExactly("linux-image-6.1.0-50-amd64", "a", "b");
    }
}
