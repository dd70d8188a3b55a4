// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Mlx4Cq;
import io.github.rdma4j.providers.card.Mlx4Page;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;

/** A context of mlx4: a page of doorbells, and queues in memory of the process. */
final class Mlx4UserContext extends UserContext {
    private static final int NUMBERS = 1 << 18;
    private static final int REPLY_OF_ABI_3 = 8;

    private final Hca hca;
    private final UverbsFile file;
    private final Mlx4Settings settings;
    private final long address;
    private final Pinned pin;
    private final Mlx4Page page;
    private boolean mapped;

    Mlx4UserContext(Hca hca, UverbsFile file) {
        this.hca = hca;
        this.file = file;
        this.settings = (Mlx4Settings) hca.settings();
        this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
        this.pin = hca.memory().pin(address, Mappings.PAGE);
        this.page = new Mlx4Page(hca.newNumber(), pin);
        hca.card().addPage(page);
    }

    Mlx4Page page() {
        return page;
    }

    Mlx4Settings settings() {
        return settings;
    }

    /** A system without write combining, which has no BlueFlame registers. */
    @Override
    void answer(ByteBuffer room) throws Refusal {
        boolean old = settings.driverAbi == Mlx4Abi.MLX4_IB_UVERBS_NO_DEV_CAPS_ABI_VERSION;
        if (old) {
            Refusal.unless(room.capacity() >= REPLY_OF_ABI_3, Errno.EFAULT);
            room.putInt(0, NUMBERS);
            return;
        }
        Refusal.unless(room.capacity() >= AllocUcontextResp.BYTES, Errno.EFAULT);
        boolean large = settings.entryBytes != CqeBytes.BYTES;
        room.putInt(AllocUcontextResp.DEV_CAPS, large ? Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE : 0)
                .putInt(AllocUcontextResp.QP_TAB_SIZE, NUMBERS)
                .putInt(AllocUcontextResp.CQE_SIZE, settings.entryBytes);
    }

    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= AllocPdResp.BYTES, Errno.EFAULT);
        room.putInt(AllocPdResp.PDN, number);
    }

    @Override
    boolean hasWindows() {
        return true;
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        new Mlx4Queues(hca, file, this).createCq(frame);
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        new Mlx4Queues(hca, file, this).createQp(frame);
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        new Mlx4Queues(hca, file, this).createSrq(frame);
    }

    @Override
    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        return new Mlx4Queues(hca, file, this).openQp(xrcdHandle, qpn, cookie);
    }

    /** A queue that has the size already stays as it is, whatever the driver's request says. */
    @Override
    int resizeCq(QueueObject.Cq cq, int asked, ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(asked > 0 && asked <= Mlx4Model.MOST_COMPLETIONS, Errno.EINVAL);
        int entries = Mlx4Queues.powerOfTwo(asked + 1);
        if (entries != cq.entries()) {
            Refusal.unless(driverRequest.capacity() >= ResizeCq.BYTES, Errno.EFAULT);
            Pinned ring =
                    QueueObject.pinRing(hca, driverRequest.getLong(ResizeCq.BUF_ADDR), entries * settings.entryBytes);
            ((Mlx4Cq) cq.cq()).moveTo(ring);
            cq.moveTo(ring);
        }
        return entries - 1;
    }

    @Override
    long map(long offset, int length) {
        if (offset != 0 || length != Mappings.PAGE || mapped) {
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
