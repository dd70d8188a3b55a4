// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedPackageTest {
    /** The dependencies of Debian 12's packages; what is not unpacked has to be installed. */
    @Test
    void takesOpenSmAndTheLibrariesThatNothingElseBrings() {
        assertThat(List.of("opensm", "libopensm9", "libosmcomp5", "libosmvendor5", "libwrap0", "libnsl2"))
                .allMatch(UnpackedPackage.Kind.OPENSM::needs);
        assertThat(List.of("infiniband-diags", "libc6", "lsb-base", "libibumad3", "libopensm-dev"))
                .noneMatch(UnpackedPackage.Kind.OPENSM::needs);
    }

    /** The dependencies of Debian 13's packages: a library in C of another release needs its own C library. */
    @Test
    void takesLibrariesOfVerbsWithTheCLibrary() {
        assertThat(List.of("ibverbs-providers", "libibverbs1", "libc6", "libnl-3-200", "libnl-route-3-200"))
                .allMatch(UnpackedPackage.Kind.RDMA_CORE::needs);
        assertThat(List.of("libgcc-s1", "debconf", "adduser")).noneMatch(UnpackedPackage.Kind.RDMA_CORE::needs);
    }

    @Test
    void isFoundOnlyOnceItIsInTheCache(@TempDir Path cache) throws Exception {
        Map<String, String> environment = Map.of("RDMA4J_CACHE", cache.toString());
        assertThat(UnpackedPackage.find(UnpackedPackage.Kind.OPENSM, environment))
                .isEmpty();

        Files.createDirectories(cache.resolve("opensm-bookworm/usr/sbin"));

        assertThat(UnpackedPackage.find(UnpackedPackage.Kind.OPENSM, environment))
                .hasValueSatisfying(found ->
                        assertThat(found.program()).isEqualTo(cache.resolve("opensm-bookworm/usr/sbin/opensm")));
    }
}
