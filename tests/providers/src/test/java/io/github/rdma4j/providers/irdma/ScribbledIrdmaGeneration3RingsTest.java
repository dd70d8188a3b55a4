// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import java.nio.ByteBuffer;
import java.util.Random;

/** Rings of generation 3, whose completions have 64 bytes, and a shared receive queue. */
class ScribbledIrdmaGeneration3RingsTest extends ScribbledIrdmaQueues {
    private static final int CONTEXT = Completion.CONTEXT_WORD * Long.BYTES;
    private static final int HEADER = Completion.HEADER_WORD * Long.BYTES;

    ScribbledIrdmaGeneration3RingsTest() {
        super(IrdmaDriver.GEN3, 2 * Elements.QUANTUM);
    }

    @Override
    protected boolean hasSharedReceives() {
        return true;
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        super.name(ring, at, request, random);
        long header = ring.getLong(at + HEADER) & ~Completion.SHARED;
        boolean shared = request.shared() && random.nextInt(8) > 0;
        if (shared) {
            ring.putLong(at + CONTEXT, request.near() & 31);
            ring.putLong(at + Elements.QUANTUM + CONTEXT, request.made().getLong(CreateQp.USER_COMPL_CTX));
        }
        ring.putLong(at + HEADER, header | (shared ? Completion.SHARED : 0));
    }
}
