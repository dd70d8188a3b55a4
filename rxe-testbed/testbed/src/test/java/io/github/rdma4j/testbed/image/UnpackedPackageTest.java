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
