// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Where the packages of a kernel come from, on archives that are lists. */
class KernelPackagesTest {
    private static final String NOW = "http://now.example/debian";
    private static final String PAST = "http://past.example/20261122T000000Z";
    private static final Map<String, String> ENVIRONMENT =
            Map.of("RDMA4J_DEBIAN_MIRROR", NOW, "RDMA4J_DEBIAN_SNAPSHOT", "http://past.example");
    private static final AptRoot.PinnedPackage PINNED =
            new AptRoot.PinnedPackage("linux-image-6.1.0-50-amd64", "6.1.176-1", "01");
    private static final AptRoot.PinnedPackage HEADERS =
            new AptRoot.PinnedPackage("linux-headers-6.1.0-50-amd64", "6.1.176-1", "02");
    private static final AptRoot.PinnedPackage LATER =
            new AptRoot.PinnedPackage("linux-image-6.1.0-51-amd64", "6.1.180-1", "03");
    private static final AptRoot.PinnedPackage LATER_HEADERS =
            new AptRoot.PinnedPackage("linux-headers-6.1.0-51-amd64", "6.1.180-1", "04");
    private static final Path TARGET = Path.of("target");

    private Map<String, String> environment = ENVIRONMENT;
    private final Map<String, List<AptRoot.PinnedPackage>> archives = new HashMap<>();
    private final List<AptRoot.PinnedPackage> unpacked = new ArrayList<>();
    private int open;

    private void unpack(KernelPackages.Group group, String kernelVersion) throws Exception {
        KernelPins pins = KernelPins.parse(
                "6.1",
                String.join(
                        "\n",
                        PinsMain.snapshotLine("6.1", "20261122T000000Z"),
                        PinsMain.packageLine("6.1", KernelPackages.Group.IMAGE, PINNED),
                        PinsMain.packageLine("6.1", KernelPackages.Group.HEADERS, HEADERS)));
        Workshop workshop = new Workshop(new CacheDirectory(TARGET), environment, Progress.silent());
        new KernelPackages(KernelRelease.BOOKWORM, pins, this::open, workshop).unpack(group, kernelVersion, TARGET);
        assertThat(open).as("archives left open").isZero();
    }

    private AptRoot open(String suite, DebianMirror mirror, Path target) throws TestbedException {
        assertThat(suite).isEqualTo("bookworm");
        List<AptRoot.PinnedPackage> content = archives.get(mirror.uri());
        if (content == null) {
            throw new AptRoot.UnreachableException(mirror.uri(), new IOException("no route"));
        }
        open++;
        return new AptRoot(TARGET, TARGET, Progress.silent()) {
            @Override
            boolean has(List<AptRoot.PinnedPackage> pins) {
                return content.containsAll(pins);
            }

            @Override
            List<AptRoot.PinnedPackage> newest(List<String> starts, Predicate<String> wanted) {
                return content.stream().filter(each -> wanted.test(each.name())).toList();
            }

            @Override
            void unpack(List<AptRoot.PinnedPackage> packages, Path into) {
                unpacked.addAll(packages);
            }

            @Override
            public void close() {
                open--;
            }
        };
    }

    @Test
    void takesThePinnedVersionFromTheSuite() throws Exception {
        archives.put(NOW, List.of(PINNED, LATER));

        unpack(KernelPackages.Group.IMAGE, "");

        assertThat(unpacked).containsExactly(PINNED);
    }

    @Test
    void takesThePinnedVersionFromThePastWhenTheSuiteHasMovedOn() throws Exception {
        archives.put(NOW, List.of(LATER));
        archives.put(PAST, List.of(PINNED));

        unpack(KernelPackages.Group.IMAGE, "");

        assertThat(unpacked).containsExactly(PINNED);
    }

    @Test
    void takesTheLaterVersionWhereThePastIsOutOfReach() throws Exception {
        archives.put(NOW, List.of(LATER));

        unpack(KernelPackages.Group.IMAGE, "");

        assertThat(unpacked).containsExactly(LATER);
    }

    @Test
    void takesTheLaterVersionWhereNoArchiveOfThePastIsNamed() throws Exception {
        environment = Map.of("RDMA4J_DEBIAN_MIRROR", NOW);
        archives.put(NOW, List.of(LATER));
        archives.put(PAST, List.of(PINNED));

        unpack(KernelPackages.Group.IMAGE, "");

        assertThat(unpacked).containsExactly(LATER);
    }

    @Test
    void takesTheHeadersOfTheKernelThatIsThere() throws Exception {
        archives.put(NOW, List.of(HEADERS, LATER_HEADERS));

        unpack(KernelPackages.Group.HEADERS, "6.1.0-50-amd64");

        assertThat(unpacked).containsExactly(HEADERS);
    }

    @Test
    void headersOfAKernelThatIsNotPinnedAreTheNewest() throws Exception {
        archives.put(NOW, List.of(LATER_HEADERS));

        unpack(KernelPackages.Group.HEADERS, "6.1.0-51-amd64");

        assertThat(unpacked).containsExactly(LATER_HEADERS);
    }

    @Test
    void withoutANetworkTheMessageSaysWhatToDo() {
        assertThatThrownBy(() -> unpack(KernelPackages.Group.IMAGE, ""))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll(NOW + " cannot be reached", "kernel 6.1 of Debian bookworm", "RDMA4J_CACHE");
    }
}
