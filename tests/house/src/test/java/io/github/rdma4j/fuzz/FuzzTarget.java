// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import java.util.List;

/**
 * A class with a method {@code fuzzerTestOneInput(byte[])}, and inputs to begin with.
 *
 * @param name of the folder with what was found
 */
record FuzzTarget(String name, Class<?> type, List<byte[]> seeds) {
    /** More than the largest of what any of them decodes. */
    static final int MAX_BYTES = 8192;

    static List<FuzzTarget> all() {
        return List.of(
                new FuzzTarget("cm", CmBytes.class, CmBytes.seeds()),
                new FuzzTarget("sa", SaBytes.class, SaBytes.seeds()),
                new FuzzTarget("sa-conversation", SaConversation.class, SaConversation.seeds()));
    }

    @Override
    public String toString() {
        return name;
    }
}
