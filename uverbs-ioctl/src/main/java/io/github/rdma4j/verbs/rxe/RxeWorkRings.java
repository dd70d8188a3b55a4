// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.rxe;

import io.github.rdma4j.verbs.Provider;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The send and receive queue of a soft-RoCE queue pair: we produce work queue elements, the kernel consumes. */
final class RxeWorkRings implements Provider.WorkRings {
    private static final byte[] ZEROS = new byte[SendWqe.BYTES];

    private final RxeQueue send;
    private final RxeQueue receive;
    private final RxeDoorbell doorbell;
    private int sendTail;
    private int receiveTail;

    RxeWorkRings(RxeQueue send, RxeQueue receive, RxeDoorbell doorbell) {
        this.send = send;
        this.receive = receive;
        this.doorbell = doorbell;
        this.sendTail = send.producer();
        this.receiveTail = receive.producer();
    }

    @Override
    public int sendCapacity() {
        return send.capacity();
    }

    @Override
    public int receiveCapacity() {
        return receive.capacity();
    }

    @Override
    public boolean sendFull() {
        return send.next(sendTail) == send.consumer();
    }

    @Override
    public boolean receiveFull() {
        return receive.next(receiveTail) == receive.consumer();
    }

    @Override
    public void put(SendWorkRequest request) {
        ByteBuffer memory = send.memory();
        int wqe = send.slot(sendTail);
        // The kernel believes what it finds in its own fields of the slot, and the slot's last use has left some there.
        memory.put(wqe, ZEROS, 0, SendWqe.BYTES);
        memory.putLong(wqe + SendWqe.WR_ID, request.wrId());
        memory.putInt(wqe + SendWqe.OPCODE, request.opcode());
        memory.putInt(wqe + SendWqe.SEND_FLAGS, request.flags());
        memory.putInt(wqe + SendWqe.IMM_DATA, bigEndian(request.immediate()));
        memory.putLong(wqe + SendWqe.RDMA_REMOTE_ADDR, request.remoteIova());
        memory.putInt(wqe + SendWqe.RDMA_RKEY, request.rkey());
        memory.putLong(wqe + SendWqe.IOVA, request.remoteIova());
        int length = (int) request.totalLength();
        memory.putInt(wqe + SendWqe.LENGTH, length);
        memory.putInt(wqe + SendWqe.RESID, length);
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            memory.put(wqe + SendWqe.INLINE_DATA, inline, inline.position(), inline.remaining());
        } else {
            memory.putInt(wqe + SendWqe.NUM_SGE, request.size());
            for (int i = 0; i < request.size(); i++) {
                putSge(memory, wqe + SendWqe.SGE + i * Sge.BYTES, request.iova(i), request.length(i), request.lkey(i));
            }
        }
        sendTail = send.next(sendTail);
    }

    @Override
    public int publishSends() {
        send.releaseProducer(sendTail);
        return doorbell.ring();
    }

    @Override
    public void put(ReceiveWorkRequest request) {
        ByteBuffer memory = receive.memory();
        int wqe = receive.slot(receiveTail);
        memory.put(wqe, ZEROS, 0, RecvWqe.BYTES);
        memory.putLong(wqe + RecvWqe.WR_ID, request.wrId());
        memory.putInt(wqe + RecvWqe.LENGTH, (int) request.totalLength());
        memory.putInt(wqe + RecvWqe.RESID, (int) request.totalLength());
        memory.putInt(wqe + RecvWqe.NUM_SGE, request.size());
        for (int i = 0; i < request.size(); i++) {
            putSge(memory, wqe + RecvWqe.SGE + i * Sge.BYTES, request.iova(i), request.length(i), request.lkey(i));
        }
        receiveTail = receive.next(receiveTail);
        receive.releaseProducer(receiveTail);
    }

    private static void putSge(ByteBuffer memory, int at, long iova, int length, int lkey) {
        memory.putLong(at + Sge.ADDR, iova);
        memory.putInt(at + Sge.LENGTH, length);
        memory.putInt(at + Sge.LKEY, lkey);
    }

    /** The kernel sends the four bytes as they lie. */
    private static int bigEndian(int number) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? number : Integer.reverseBytes(number);
    }

    @Override
    public void retire() {
        send.retire();
        receive.retire();
    }
}
