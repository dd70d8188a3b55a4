// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import java.util.List;
import java.util.Locale;

/** The packages of a kernel that are downloaded together. */
enum PackageGroup {
    /** What boots: the kernel and its modules. */
    IMAGE {
        @Override
        List<String> starts(String kernelVersion) {
            return List.of(KernelRelease.META_PACKAGE);
        }

        @Override
        boolean contains(String packageName) {
            return packageName.matches("linux-(image|binary|modules|base-)\\S*")
                    && !packageName.equals(KernelRelease.META_PACKAGE);
        }
    },
    /** What building a module for the kernel takes beside its source. */
    HEADERS {
        @Override
        List<String> starts(String kernelVersion) {
            return List.of("linux-headers-" + kernelVersion);
        }

        @Override
        boolean contains(String packageName) {
            return packageName.matches("linux-(headers|kbuild)-.+");
        }
    },
    /** The kernel's source. */
    SOURCE {
        @Override
        List<String> starts(String kernelVersion) {
            return List.of(BuiltModule.sourceName(kernelVersion));
        }

        @Override
        boolean contains(String packageName) {
            return packageName.startsWith("linux-source-");
        }
    };

    /**
     * The packages that lead to the others of the group, and belong to it unless they are meta packages.
     *
     * @param kernelVersion such as {@code 6.1.0-50-amd64}
     */
    abstract List<String> starts(String kernelVersion);

    /** Whether a package to which the first ones lead belongs to the group. */
    abstract boolean contains(String packageName);

    /** The group's name in the list of pins. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
