// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelPinsTest {
    private static final String LIST = """
            # a comment
            6.1 snapshot 20261122T000000Z
            6.1 image linux-image-6.1.0-50-amd64 6.1.176-1 0123
            6.1 headers linux-kbuild-6.1 6.1.176-1 4567
            6.12 image linux-image-6.12.107-amd64 6.12.107-1 89ab
            """;

    @Test
    void takesTheLinesOfTheSeriesOnly() {
        KernelPins pins = KernelPins.parse("6.1", LIST);

        assertThat(pins.packages(KernelPackages.Group.IMAGE))
                .containsExactly(new AptRoot.PinnedPackage("linux-image-6.1.0-50-amd64", "6.1.176-1", "0123"));
        assertThat(pins.packages(KernelPackages.Group.SOURCE)).isEmpty();
        assertThat(pins.version()).isEqualTo("6.1.176-1");
        assertThat(pins.snapshot()).isEqualTo("20261122T000000Z");
    }

    @ParameterizedTest
    @EnumSource
    void everyKernelIsPinnedWithAllThatBelongsToIt(KernelRelease release) {
        KernelPins pins = KernelPins.of(release);

        assertThat(release.isSeriesOf(pins.version())).isTrue();
        assertThat(pins.snapshot()).matches("\\d{8}T\\d{6}Z");
        for (KernelPackages.Group group : PinsMain.groups(release)) {
            assertThat(pins.packages(group)).isNotEmpty().allSatisfy(pinned -> {
                assertThat(group.contains(pinned.name())).isTrue();
                assertThat(pinned.sha256()).matches("[0-9a-f]{64}");
            });
        }
    }

    @Test
    void noEntryOfAKernelBeginsAsAnotherDoes() {
        List<String> entries = Stream.of(KernelRelease.values())
                .map(release -> KernelPins.of(release).kernel())
                .toList();
        for (KernelRelease release : KernelRelease.values()) {
            String prefix = KernelRelease.entry(release.label()) + "-";
            assertThat(entries).filteredOn(entry -> entry.startsWith(prefix)).hasSize(1);
        }
    }

    @Test
    void aPackageOfAnotherChecksumIsRefused() {
        AptRoot.PinnedPackage pinned = new AptRoot.PinnedPackage("linux-image", "6.1", "0123");

        assertThatThrownBy(() -> pinned.check("4567"))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll("linux-image 6.1", "SHA-256 is 4567 and not 0123", "nothing of it was used");
    }

    @Test
    void aLineThatIsWrittenCanBeRead() {
        AptRoot.PinnedPackage pinned = new AptRoot.PinnedPackage("linux-source-6.1", "6.1.176-1", "0123");
        String text = PinsMain.snapshotLine("6.1", "20261122T000000Z") + "\n"
                + PinsMain.packageLine("6.1", KernelPackages.Group.SOURCE, pinned);

        assertThat(KernelPins.parse("6.1", text).packages(KernelPackages.Group.SOURCE))
                .containsExactly(pinned);
    }
}
