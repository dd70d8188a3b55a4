// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Destination;
import io.github.rdma4j.providers.card.DoorbellPage;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A context of a process: what GET_CONTEXT agreed on, and the commands that the driver has a part in. */
abstract class UserContext {
    private static final int U8 = 0xff;

    final Hca hca;
    final UverbsFile file;
    private final List<DoorbellPage> doorbells = new ArrayList<>();
    private final List<SharedPage> mapped = new ArrayList<>();

    UserContext(Hca hca, UverbsFile file) {
        this.hca = hca;
        this.file = file;
    }

    /** The context has a page of doorbells, and the process may map {@code pages}. */
    final <P extends DoorbellPage> P has(P page, SharedPage... pages) {
        hca.card().addPage(page);
        doorbells.add(page);
        mapped.addAll(List.of(pages));
        return page;
    }

    /** {@code number} rounded up to a power of two. */
    static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** What the driver adds to the reply of GET_CONTEXT. */
    abstract void answer(ByteBuffer room) throws Refusal;

    /** What the driver adds to the reply of ALLOC_PD. */
    void answerPd(ByteBuffer room, int number) throws Refusal {}

    /** Whether the device has memory windows. */
    boolean hasWindows() {
        return false;
    }

    /** What the driver adds to the reply of CREATE_AH for a peer {@code gid} and {@code attributes}, as in the command. */
    void answerAh(ByteBuffer room, byte[] gid, ByteBuffer attributes) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    /** The way to {@code gid} with {@code attributes}, as in CREATE_AH. */
    static Destination.Route route(byte[] gid, ByteBuffer attributes) {
        return new Destination.Route(
                ByteBuffer.wrap(gid),
                attributes.get(AhAttrBytes.SGID_INDEX) & U8,
                attributes.get(AhAttrBytes.TRAFFIC_CLASS),
                attributes.get(AhAttrBytes.HOP_LIMIT),
                attributes.getInt(AhAttrBytes.FLOW_LABEL),
                attributes.get(AhAttrBytes.SL));
    }

    /** The process has registered memory. */
    void registered(MrObject region, WriteSet.Request request) throws Refusal {}

    abstract void createCq(IoctlFrame frame) throws Refusal;

    abstract void createQp(IoctlFrame frame) throws Refusal;

    /** The process has left the ring that a completion queue had before; few drivers have to know. */
    void leftRing(QueueObject.Cq cq) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    /** Changes the capacity of a completion queue; returns the new one. */
    int resizeCq(QueueObject.Cq cq, int entries, ByteBuffer driverRequest) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    void createSrq(IoctlFrame frame) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    /** A method of an object that only the driver has. */
    void method(IoctlFrame frame) throws Refusal {
        throw new Refusal(Errno.EPROTONOSUPPORT);
    }

    /** The address of a mapping, or minus the error number. */
    abstract long map(long offset, int length);

    /** The device is gone: the process finds zeros in its mappings, and stores go nowhere. */
    void lose() {
        doorbells.forEach(DoorbellPage::remove);
        mapped.forEach(SharedPage::clear);
    }

    /** The objects of the context are gone, and so is the context. */
    void close() {
        doorbells.forEach(page -> hca.card().removePage(page.index()));
        mapped.forEach(SharedPage::close);
    }

    /** A page that the process can map once: doorbells, or what the kernel tells the process. */
    static final class SharedPage {
        private final Hca hca;
        private final long address;
        private final Pinned pin;
        private boolean mapped;

        SharedPage(Hca hca) {
            this.hca = hca;
            this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
            this.pin = hca.memory().pin(address, Mappings.PAGE);
        }

        /** The page as the device reaches it. */
        Pinned pin() {
            return pin;
        }

        /** The bytes of the page, in native byte order. */
        ByteBuffer bytes() {
            return NativeMemory.view(address, Mappings.PAGE).order(ByteOrder.nativeOrder());
        }

        /** The address, or minus the error number. */
        long map(int length) {
            if (mapped || length != Mappings.PAGE) {
                return OpenFile.refused(Errno.EINVAL);
            }
            mapped = true;
            return address;
        }

        /** The device is gone: the process finds zeros, and stores go nowhere. */
        void clear() {
            hca.memory().clear(address, Mappings.PAGE);
        }

        void close() {
            hca.memory().unpin(pin);
            if (!mapped) {
                hca.memory().free(address);
            }
        }
    }
}
