// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramChecksTest {
    @ParameterizedTest
    @CsvSource({
        "6.3.9, false",
        "6.4.0-rc1, true",
        "6.12.3-arch1, true",
        "5.19, false",
        "7.0, true",
        "6, false",
        "7-rc1, true",
        "strange, false"
    })
    void knowsSinceWhenSoftRoceSendsFromAWorkQueue(String kernel, boolean does) {
        assertThat(ProgramChecks.sendsFromAWorkQueue(kernel)).isEqualTo(does);
    }
}
