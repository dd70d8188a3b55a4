// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CodesTest {
    private final Codes<Sparse> codes = Codes.of(Sparse.values(), sparse -> sparse.code, Sparse.UNKNOWN);

    @Test
    void findsAConstantByItsNumberAndNotByItsPlace() {
        assertThat(codes.get(7)).isEqualTo(Sparse.SEVEN);
        assertThat(codes.get(300)).isEqualTo(Sparse.THREE_HUNDRED);
    }

    @Test
    void givesUnknownForAnyOtherNumber() {
        for (int code : new int[] {0, 1, 6, 299, 301, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(codes.get(code)).as("number %s", code).isEqualTo(Sparse.UNKNOWN);
        }
    }

    private enum Sparse {
        THREE_HUNDRED(300),
        SEVEN(7),
        UNKNOWN(-1);

        private final int code;

        Sparse(int code) {
            this.code = code;
        }
    }
}
