// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesObjectsAndArraysOnOneLine() {
        assertThat(Json.text(List.of(Map.of("a", 1L), Map.of("b", "x\"y"), List.of(1.5, true))))
                .isEqualTo("[{\"a\":1},{\"b\":\"x\\\"y\"},[1.5,true]]");
    }

    @Test
    void hasNoNumberForWhatIsNone() {
        assertThat(Json.text(List.of(Double.NaN, Double.POSITIVE_INFINITY))).isEqualTo("[null,null]");
    }
}
