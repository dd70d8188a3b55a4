// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import java.util.List;
import java.util.function.Supplier;

/** A class with a method {@code fuzzerTestOneInput(byte[])}, and inputs to begin with. */
enum FuzzTarget {
    CM(CmBytes.class, CmBytes::seeds),
    SA(SaBytes.class, SaBytes::seeds),
    SA_CONVERSATION(SaConversation.class, SaConversation::seeds);

    /** More than the largest of what any of them decodes. */
    static final int MAX_BYTES = 8192;

    private final Class<?> type;
    private final Supplier<List<byte[]>> seeds;

    FuzzTarget(Class<?> type, Supplier<List<byte[]>> seeds) {
        this.type = type;
        this.seeds = seeds;
    }

    Class<?> type() {
        return type;
    }

    List<byte[]> seeds() {
        return seeds.get();
    }
}
