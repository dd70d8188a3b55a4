// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

/** What {@code disni.c} exports. */
public interface LibdisniObjects {
    /** Makes a queue pair, a completion queue and memory; {@code made} gets their addresses, and the key of the memory. */
    void disni_objects(long[] made);
}
