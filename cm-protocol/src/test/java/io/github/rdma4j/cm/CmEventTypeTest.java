// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CmEventTypeTest {
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void isFoundByItsNumber(CmEventType type) {
        assertThat(CmEventType.of(type.code())).isEqualTo(type);
        assertThat(type.cName()).isEqualTo("RDMA_CM_EVENT_" + type);
    }

    /** The installed headers, with which the numbers of all others are compared, may be older than these. */
    @ParameterizedTest
    @CsvSource({"16, ADDRINFO_RESOLVED", "17, ADDRINFO_ERROR", "18, USER", "19, INTERNAL"})
    void hasItsNumberFromLinux618On(int code, CmEventType type) {
        assertThat(type.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 99, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void isUnknownByAnyOther(int code) {
        assertThat(CmEventType.of(code).cName()).isEqualTo("UNKNOWN EVENT");
    }
}
