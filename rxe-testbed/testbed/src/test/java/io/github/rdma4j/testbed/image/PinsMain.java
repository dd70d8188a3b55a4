// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Prints the list of the present kernels of this machine's Debian archive, for {@code kernels.pins}. From the folder of
 * the module: {@code java -cp target/classes:target/test-classes io.github.rdma4j.testbed.image.PinsMain}
 */
final class PinsMain {
    private static final String IMAGE_PREFIX = "linux-image-";

    private PinsMain() {}

    public static void main(String[] arguments) throws Exception {
        String time = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                .format(Instant.now().atOffset(ZoneOffset.UTC));
        System.out.println("# Written by PinsMain of the tests");
        Path scratch = Files.createTempDirectory("rdma4j-pins-");
        try {
            for (KernelRelease release : KernelRelease.values()) {
                print(release, time, scratch.resolve(release.label()));
            }
        } finally {
            CacheDirectory.deleteTree(scratch);
        }
    }

    private static void print(KernelRelease release, String time, Path scratch) throws Exception {
        System.out.println(snapshotLine(release.label(), time));
        DebianMirror mirror = DebianMirror.ofThisMachine(System.getenv());
        String architecture = release.architecture().debian();
        try (AptRoot archive =
                AptRoot.open(release.suite(), architecture, mirror, scratch, Progress.onStandardError())) {
            String version = "";
            for (KernelPackages.Group group : groups(release)) {
                List<AptRoot.PinnedPackage> newest = archive.newest(group.starts(release, version), group::contains);
                newest.forEach(each -> System.out.println(packageLine(release.label(), group, each)));
                version = version.isEmpty() ? kernelVersion(newest) : version;
            }
        }
    }

    /** The packages that the testbed has pins for. Modules are built for this machine's processor only. */
    static List<KernelPackages.Group> groups(KernelRelease release) {
        return release.architecture().isOfThisMachine()
                ? List.of(KernelPackages.Group.values())
                : List.of(KernelPackages.Group.IMAGE);
    }

    private static String kernelVersion(List<AptRoot.PinnedPackage> image) {
        return image.stream()
                .map(AptRoot.PinnedPackage::name)
                .filter(name -> name.startsWith(IMAGE_PREFIX))
                .map(name -> name.substring(IMAGE_PREFIX.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the archive has no package " + IMAGE_PREFIX + "*"));
    }

    static String snapshotLine(String series, String time) {
        return series + " snapshot " + time;
    }

    static String packageLine(String series, KernelPackages.Group group, AptRoot.PinnedPackage pinned) {
        return String.join(" ", series, group.key(), pinned.name(), pinned.version(), pinned.sha256());
    }
}
