// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Resource;
import java.util.List;

/**
 * The versions and checksums of the kernels with which this version of the testbed was tested. The list is the resource
 * {@code kernels.pins}, which {@code PinsMain} of the tests makes from the archive:
 *
 * <pre>
 * KERNEL snapshot TIME
 * KERNEL GROUP PACKAGE VERSION SHA256
 * </pre>
 *
 * <p>A kernel is named as {@link KernelRelease#label} says.
 */
record KernelPins(String series, List<List<String>> lines) {
    private static final String RESOURCE = "kernels.pins";
    private static final String SNAPSHOT = "snapshot";
    private static final int WORDS_OF_A_PACKAGE = 5;

    static KernelPins of(KernelRelease release) {
        return parse(release.label(), Resource.text("image/" + RESOURCE));
    }

    static KernelPins parse(String series, String text) {
        return new KernelPins(
                series,
                text.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .map(line -> List.of(line.strip().split("\\s+")))
                        .filter(words -> words.get(0).equals(series))
                        .toList());
    }

    List<AptRoot.PinnedPackage> packages(KernelPackages.Group group) {
        return lines.stream()
                .filter(words -> words.get(1).equals(group.key()) && words.size() == WORDS_OF_A_PACKAGE)
                .map(words -> new AptRoot.PinnedPackage(words.get(2), words.get(3), words.get(4)))
                .toList();
    }

    /** When the archive had these packages, such as {@code 20261122T000000Z}. */
    String snapshot() {
        return lines.stream()
                .filter(words -> words.get(1).equals(SNAPSHOT))
                .map(words -> words.get(2))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no snapshot of " + series + " in " + RESOURCE));
    }

    /** The version of Debian's packages of the kernel, such as {@code 6.1.176-1}. */
    String version() {
        return packages(KernelPackages.Group.IMAGE).stream()
                .map(AptRoot.PinnedPackage::version)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no kernel " + series + " in " + RESOURCE));
    }

    /** The kernel in the names of cache entries, such as {@code 6.1-6.1.176-1} or {@code arm64-6.1-6.1.176-1}. */
    String kernel() {
        return KernelRelease.entry(series) + "-" + version();
    }
}
