// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.irdma.IrdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi.AllocPdResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.irdma.IrdmaProvider;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.IrdmaPage;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;

/** A context of irdma: a page of doorbells, and queues in memory that the process registers first. */
final class IrdmaUserContext extends UserContext {
    private static final int AFTER_RTS = 1;
    private static final int RESIZE = 2;

    /** Sends after RTS, over iWARP only; resized queues, completions of 64 bytes, atomic operations, shared receives. */
    private static final int FEATURES_OF_GENERATION_3 = 0xe3;

    /** Sizes by the capacities of programs, the fewest elements of a ring, the most quanta of a shared receive ring. */
    private static final int SAID_BY_GENERATION_3 = 7;

    static final int FEWEST_REQUESTS = 16;
    static final int MOST_SHARED_QUANTA = 262_144;
    private static final int MOST_QUANTA = 32768;

    private final Hca hca;
    private final IrdmaSettings settings;
    private final IrdmaQueues queues;
    private final long address;
    private final Pinned pin;
    private final IrdmaPage page;
    private int addresses;
    private boolean mapped;

    IrdmaUserContext(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        this.hca = hca;
        this.settings = (IrdmaSettings) hca.settings();
        Refusal.unless(request.capacity() >= IrdmaAbi.REQUEST_COMP_MASK, Errno.EINVAL);
        Refusal.unless(request.get(IrdmaAbi.USERSPACE_VER) == IrdmaAbi.IRDMA_ABI_VER, Errno.EINVAL);
        Refusal.unless(!settings.isThirdGeneration() || knowsGeneration3(request), Errno.EOPNOTSUPP);
        this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
        this.pin = hca.memory().pin(address, Mappings.PAGE);
        this.page = new IrdmaPage(hca.newNumber(), pin);
        this.queues = new IrdmaQueues(hca, file, page);
        hca.card().addPage(page);
    }

    /** The library of rdma-core 44 says less of itself. */
    private static boolean knowsGeneration3(ByteBuffer request) {
        return request.capacity() >= IrdmaAbi.CONTEXT_REQUEST
                && (request.getLong(IrdmaAbi.REQUEST_COMP_MASK) & Newer.IRDMA_SUPPORT_WQE_FORMAT_V2) != 0;
    }

    static int pieces(IrdmaSettings settings) {
        return settings.isFirstGeneration() ? 3 : settings.isThirdGeneration() ? 14 : 13;
    }

    static int readPieces(IrdmaSettings settings) {
        return settings.isFirstGeneration() ? 1 : pieces(settings);
    }

    static int inline(IrdmaSettings settings) {
        return settings.isFirstGeneration() ? 48 : settings.isThirdGeneration() ? 216 : 101;
    }

    @Override
    void answer(ByteBuffer room) throws Refusal {
        Refusal.unless(room.capacity() >= ContextResp.COMP_MASK, Errno.EINVAL);
        room.put(ContextResp.KERNEL_VER, (byte) IrdmaAbi.IRDMA_ABI_VER)
                .putLong(ContextResp.FEATURE_FLAGS, features())
                .putLong(ContextResp.DB_MMAP_KEY, offset())
                .putInt(ContextResp.MAX_HW_WQ_FRAGS, pieces(settings))
                .putInt(ContextResp.MAX_HW_READ_SGES, readPieces(settings))
                .putInt(ContextResp.MAX_HW_INLINE, inline(settings))
                .putInt(ContextResp.MAX_HW_RQ_QUANTA, MOST_QUANTA)
                .putInt(ContextResp.MAX_HW_WQ_QUANTA, MOST_QUANTA)
                .putInt(ContextResp.MIN_HW_CQ_SIZE, 1)
                .putInt(ContextResp.MAX_HW_CQ_SIZE, IrdmaModel.MOST_COMPLETIONS)
                .putShort(ContextResp.MAX_HW_SQ_CHUNK, (short) settings.chunk)
                .put(ContextResp.HW_REV, (byte) settings.generation);
        if (settings.isThirdGeneration() && room.capacity() >= IrdmaProvider.CONTEXT_REPLY) {
            room.putLong(ContextResp.COMP_MASK, SAID_BY_GENERATION_3)
                    .putShort(Newer.MIN_HW_WQ_SIZE, (short) FEWEST_REQUESTS)
                    .putInt(Newer.MAX_HW_SRQ_QUANTA, MOST_SHARED_QUANTA);
        }
    }

    private int features() {
        return settings.isThirdGeneration()
                ? FEATURES_OF_GENERATION_3
                : settings.isFirstGeneration() ? 0 : settings.isIwarp() ? AFTER_RTS : RESIZE;
    }

    private long offset() {
        return (long) page.index() * Mappings.PAGE;
    }

    /** The driver copies eight bytes. */
    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= AllocPdResp.BYTES, Errno.EFAULT);
        room.putInt(AllocPdResp.PD_ID, number);
    }

    @Override
    void answerAh(ByteBuffer room, byte[] gid, ByteBuffer attributes) throws Refusal {
        Refusal.unless(!settings.isIwarp(), Errno.EOPNOTSUPP);
        Refusal.unless(room.capacity() >= CreateAhResp.BYTES, Errno.EFAULT);
        int id = ++addresses;
        page.addresses().add(id, route(gid, attributes));
        room.putInt(CreateAhResp.AH_ID, id);
    }

    @Override
    boolean hasWindows() {
        return true;
    }

    @Override
    void registered(MrObject region, WriteSet.Request request) throws Refusal {
        queues.registered(region, request);
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        queues.createCq(frame);
    }

    @Override
    int resizeCq(QueueObject.Cq cq, int quanta, ByteBuffer driverRequest) throws Refusal {
        queues.resizeCq(cq, quanta, driverRequest);
        return quanta;
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        Refusal.unless(settings.isThirdGeneration(), Errno.EOPNOTSUPP);
        queues.createSrq(frame);
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        queues.createQp(frame);
    }

    @Override
    long map(long offset, int length) {
        if (offset != offset() || length != Mappings.PAGE || mapped) {
            return OpenFile.refused(Errno.EINVAL);
        }
        mapped = true;
        return address;
    }

    @Override
    void lose() {
        page.remove();
        hca.memory().clear(address, Mappings.PAGE);
    }

    @Override
    void close() {
        hca.card().removePage(page.index());
        hca.memory().unpin(pin);
        if (!mapped) {
            hca.memory().free(address);
        }
    }
}
