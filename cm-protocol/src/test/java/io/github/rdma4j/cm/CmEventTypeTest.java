// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CmEventTypeTest {
    @ParameterizedTest
    @CsvSource({
        "0, ADDR_RESOLVED",
        "1, ADDR_ERROR",
        "2, ROUTE_RESOLVED",
        "3, ROUTE_ERROR",
        "4, CONNECT_REQUEST",
        "5, CONNECT_RESPONSE",
        "6, CONNECT_ERROR",
        "7, UNREACHABLE",
        "8, REJECTED",
        "9, ESTABLISHED",
        "10, DISCONNECTED",
        "11, DEVICE_REMOVAL",
        "12, MULTICAST_JOIN",
        "13, MULTICAST_ERROR",
        "14, ADDR_CHANGE",
        "15, TIMEWAIT_EXIT",
        "16, ADDRINFO_RESOLVED",
        "17, ADDRINFO_ERROR",
        "18, USER",
        "19, INTERNAL"
    })
    void hasANameForEveryNumber(int code, String name) {
        CmEventType type = CmEventType.of(code);
        assertThat(type.name()).isEqualTo(name);
        assertThat(type.code()).isEqualTo(code);
        assertThat(type.cName()).isEqualTo("RDMA_CM_EVENT_" + name);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 99, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void hasNoNameForOthers(int code) {
        assertThat(CmEventType.of(code)).isEqualTo(CmEventType.UNKNOWN);
    }

    @Test
    void namesTheUnknownAsTheLibraryInCDoes() {
        assertThat(CmEventType.UNKNOWN.cName()).isEqualTo("UNKNOWN EVENT");
    }
}
