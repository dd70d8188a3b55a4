// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The data path of one kernel driver: how its queues lie in memory and how the device learns of new work. Found by
 * {@link java.util.ServiceLoader} and chosen by the driver id that the kernel reports for the device.
 *
 * <p>An implementation must be stateless. The rings it returns are used under the lock of the queue they belong to, so they
 * need no lock of their own, and none of their methods is called after {@code retire}.
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
     * The number by which work requests name a new address handle.
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

    /** The receive ring of a new queue pair that has a receive queue of its own. */
    ReceiveRing mapReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException;

    /** The ring of a new shared receive queue. */
    ReceiveRing mapSharedReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException;

    /** What a provider may ask of the open device. */
    interface Device {
        /** Maps {@code length} bytes at {@code offset} of the device. {@code what} is for messages. */
        Mapping map(long offset, int length, String what) throws RdmaException;

        /** A doorbell by system call for the send queue of a queue pair: POST_SEND without work requests. */
        Doorbell postSend(int qpHandle);
    }

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

    /** Makes the device look at a queue. */
    interface Doorbell {
        /** Returns 0, or minus the error number. Allocates nothing. */
        int ring();
    }
}
