// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Downloads and unpacks the packages of a kernel of Debian, at the versions with which the testbed was tested ({@link
 * KernelPins}). A suite has one version of a package at a time. If the version is later, the packages come from an
 * archive of snapshots, if the environment names one that can be reached; otherwise the later version is used.
 */
record KernelPackages(KernelRelease release, KernelPins pins, AptRoot.Opener archives, Workshop shop) {
    static KernelPackages of(KernelRelease release, Workshop shop) {
        String architecture = release.architecture().debian();
        AptRoot.Opener archives =
                (suite, mirror, target) -> AptRoot.open(suite, architecture, mirror, target, shop.progress());
        return new KernelPackages(release, KernelPins.of(release), archives, shop);
    }

    /** The kernel in the names of cache entries; see {@link KernelPins#kernel}. */
    String kernel() {
        return pins.kernel();
    }

    /**
     * The kernel in the names of derived cache entries. A kernel in the cache may be later than the pins, and another
     * kernel after another download.
     *
     * @param version the version of the kernel in the cache, such as {@code 6.1.0-50-amd64}
     */
    String derived(String version) {
        return kernel() + "-" + version;
    }

    /**
     * Unpacks the packages of the group into {@code target}.
     *
     * @param kernelVersion the version of the packages' kernel, if the group depends on it
     */
    void unpack(Group group, String kernelVersion, Path target)
            throws TestbedException, IOException, InterruptedException {
        List<AptRoot.PinnedPackage> pinned = pins.packages(group);
        DebianMirror mirror = DebianMirror.ofThisMachine(shop.environment());
        try (AptRoot archive = archives.open(release.suite(), mirror, target)) {
            boolean ofAnotherKernel = group == Group.HEADERS
                    && pinned.stream()
                            .noneMatch(
                                    each -> group.starts(release, kernelVersion).contains(each.name()));
            if (ofAnotherKernel) {
                archive.unpack(archive.newest(group.starts(release, kernelVersion), group::contains), target);
                return;
            }
            if (archive.has(pinned)) {
                archive.unpack(pinned, target);
                return;
            }
        } catch (AptRoot.UnreachableException e) {
            throw e.wanted("kernel " + release.label() + " of Debian " + release.suite());
        }
        Optional<DebianMirror> past = mirror.at(pins.snapshot(), shop.environment());
        if (past.isEmpty() || !unpackFrom(past.get(), pinned, target)) {
            unpackNewest(group, kernelVersion, mirror, target);
        }
    }

    private boolean unpackFrom(DebianMirror past, List<AptRoot.PinnedPackage> pinned, Path target)
            throws TestbedException, IOException, InterruptedException {
        try (AptRoot archive = archives.open(release.suite(), past, target)) {
            if (archive.has(pinned)) {
                archive.unpack(pinned, target);
                return true;
            }
            return false;
        } catch (AptRoot.UnreachableException e) {
            shop.progress().note(past.uri() + " cannot be reached");
            return false;
        }
    }

    private void unpackNewest(Group group, String kernelVersion, DebianMirror mirror, Path target)
            throws TestbedException, IOException, InterruptedException {
        try (AptRoot archive = archives.open(release.suite(), mirror, target)) {
            List<AptRoot.PinnedPackage> newest = archive.newest(group.starts(release, kernelVersion), group::contains);
            shop.progress()
                    .note("Debian " + release.suite() + " no longer has version " + pins.version() + " of kernel "
                            + release.label() + ", with which this testbed was tested; using version "
                            + newest.get(0).version()
                            + "; RDMA4J_DEBIAN_SNAPSHOT may name an archive of snapshots that has the former");
            archive.unpack(newest, target);
        }
    }

    /** The packages of a kernel that are downloaded together. */
    enum Group {
        /** The kernel and its modules. */
        IMAGE("linux-(image|binary|modules|base-)\\S*"),
        /** The headers, with which modules are built. */
        HEADERS("linux-(headers|kbuild)-.+"),
        /** The kernel's source. */
        SOURCE("linux-source-.*");

        private final String names;

        Group(String names) {
            this.names = names;
        }

        /**
         * The packages that lead to the other packages of the group. They belong to the group too, except a meta
         * package.
         *
         * @param kernelVersion such as {@code 6.1.0-50-amd64}
         */
        List<String> starts(KernelRelease release, String kernelVersion) {
            return List.of(
                    switch (this) {
                        case IMAGE -> release.metaPackage();
                        case HEADERS -> "linux-headers-" + kernelVersion;
                        case SOURCE -> BuiltModule.sourceName(kernelVersion);
                    });
        }

        /** Whether a package belongs to the group. */
        boolean contains(String packageName) {
            return packageName.matches(names)
                    && Arrays.stream(KernelRelease.values()).noneMatch(each -> packageName.equals(each.metaPackage()));
        }

        /** The group's name in the list of pins. */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
