// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BuiltModuleTest {
    /** The dependencies of the package of Debian 12's headers; the compiler has to be installed. */
    @Test
    void unpacksTheHeadersAndTheProgramsOfTheBuild() {
        assertThat(List.of("linux-headers-6.1.0-50-amd64", "linux-headers-6.1.0-50-common", "linux-kbuild-6.1"))
                .allMatch(KernelPackages.Group.HEADERS::contains);
        assertThat(List.of("linux-compiler-gcc-12-x86", "linux-image-6.1.0-50-amd64", "libelf1"))
                .noneMatch(KernelPackages.Group.HEADERS::contains);
    }

    @Test
    void takesTheSourceOfTheSeries() {
        assertThat(BuiltModule.series("6.1.0-50-amd64")).isEqualTo("6.1");
        assertThat(BuiltModule.series("6.12.107+deb13-amd64")).isEqualTo("6.12");
    }

    @Test
    void namesTheCompilerThatIsNotThere() {
        String output = "  CC [M]  siw_cm.o\n/bin/sh: 1: x86_64-linux-gnu-gcc-14: not found\nmake[2]: *** Error 127";

        assertThat(BuiltModule.compilerOfAnotherRelease(output, "6.12.107"))
                .hasValueSatisfying(failure ->
                        assertThat(failure).hasMessageContainingAll("kernel 6.12.107", "has no gcc-14", "--kernel"));
        assertThat(BuiltModule.compilerOfAnotherRelease("siw_cm.c:1: error: expected ';'", "6.12.107"))
                .isEmpty();
    }
}
