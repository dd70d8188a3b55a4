// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

/** A field of a record, with its bit in the component mask. */
interface Component {
    /** The number of the bit, from 0. */
    int bit();

    /** The bit itself. */
    default long mask() {
        return 1L << bit();
    }
}
