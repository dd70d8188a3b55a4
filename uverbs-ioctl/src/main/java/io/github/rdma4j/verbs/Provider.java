// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The data path of one kernel driver: how its queues lie in memory and how it is told of new work. Found by
 * {@link java.util.ServiceLoader} and chosen by the driver id that the kernel reports for the device.
 *
 * <p>Implementations are stateless. The rings they return are used under the lock of the queue they belong to, so they
 * need none of their own, and none of their methods is called after {@code retire}.
 */
public interface Provider {
    /** The driver, {@code RDMA_DRIVER_*} of uapi {@code rdma/ib_user_ioctl_verbs.h}. */
    int driverId();

    /** The oldest driver ABI that the provider speaks. */
    int oldestDriverAbi();

    /** The newest driver ABI that the provider speaks. */
    int newestDriverAbi();

    /** Bytes that the driver adds to the reply of a new completion queue. */
    int cqReplyBytes();

    /** Bytes that the driver adds to the reply of a new queue pair. */
    int qpReplyBytes();

    /** Bytes that the driver adds to the reply of a new address handle. */
    int ahReplyBytes();

    /**
     * By what work requests name a new address handle.
     *
     * @throws UnsupportedByKernelException when the driver is too old for the provider
     */
    int addressNumber(ByteBuffer driverReply) throws UnsupportedByKernelException;

    /** Bytes that the driver adds to the reply of a new shared receive queue. */
    int srqReplyBytes();

    /** Bytes of zeros that the driver wants behind the command that sets the limit of a shared receive queue. */
    int modifySrqRequestBytes();

    /** The ring of a new completion queue; {@code driverReply} is what the driver added, in native byte order. */
    CompletionRing mapCompletionRing(Device device, ByteBuffer driverReply) throws RdmaException;

    /** The send ring of a new queue pair. */
    SendRing mapSendRing(Device device, ByteBuffer driverReply, int qpHandle) throws RdmaException;

    /** The receive ring of a new queue pair that has one of its own. */
    ReceiveRing mapReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException;

    /** The ring of a new shared receive queue. */
    ReceiveRing mapSharedReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException;

    /**
     * Memory that the kernel shares with this process. The memory is never unmapped while Java can reach it, so that a late
     * reader finds zeros and no fault. The buffer must not leave the class that owns the ring, and must not become a Netty
     * buffer, which would keep the bare address.
     */
    interface Mapping {
        /** The mapped bytes, in native byte order. */
        ByteBuffer buffer();

        /** Gives the kernel's pages back. Readers see zeros from now on, and writes have no effect. Idempotent. */
        void retire();
    }

    /** What a provider may ask of the open device. */
    interface Device {
        /** Maps {@code length} bytes at {@code offset} of the device. {@code what} is for messages. */
        Mapping map(long offset, int length, String what) throws RdmaException;

        /** write(2) to the device: the result, or minus the error number. Allocates nothing. */
        long write(long address, long length);
    }

    /** The consumer's side of a completion queue. */
    interface CompletionRing {
        /** Takes at most {@code into.length} completions, oldest first; returns how many. */
        int poll(WorkCompletion[] into);

        /** How many completions it holds. */
        int capacity();

        /** Gives the memory back. */
        void retire();
    }

    /** The producer's side of a send queue. */
    interface SendRing {
        /** How many work requests fit. */
        int capacity();

        /** True when no work request fits. */
        boolean isFull();

        /** Writes a work request, which {@link #publish} shows to the kernel. The ring is not full. */
        void put(SendWorkRequest request);

        /** Takes back what was put and not published yet, in whole or in part. */
        void discard();

        /** Shows what was put to the kernel and tells it so: 0, or minus the error number. */
        int publish();

        /** Gives the memory back. */
        void retire();
    }

    /** The producer's side of a receive queue. */
    interface ReceiveRing {
        /** How many work requests fit. */
        int capacity();

        /** True when no work request fits. */
        boolean isFull();

        /** Writes a work request and shows it to the kernel. The ring is not full. */
        void put(ReceiveWorkRequest request);

        /** Gives the memory back. */
        void retire();
    }
}
