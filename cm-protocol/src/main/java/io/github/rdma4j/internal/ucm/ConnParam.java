// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The parameters of a connection: the local side's in a command, the peer's in an event. */
@KernelStruct(value = "struct rdma_ucm_conn_param", header = "rdma/rdma_user_cm.h")
@SuppressWarnings("ArrayRecordComponent") // copied on input and output, and compared by content
public record ConnParam(
        int qpNum,
        int qkey,
        byte[] privateData,
        boolean srq,
        int responderResources,
        int initiatorDepth,
        int flowControl,
        int retryCount,
        int rnrRetryCount)
        implements EventParam {
    public static final int QP_NUM = 0; // __u32: 24 bits
    public static final int QKEY = 4; // __u32: the kernel reads it for InfiniBand addresses only
    // __u8[RDMA_MAX_PRIVATE_DATA]: 256 bytes; the message limits the length further
    public static final int PRIVATE_DATA = 8;
    public static final int PRIVATE_DATA_LEN = 264; // __u8
    public static final int SRQ = 265; // __u8: the queue pair receives from a shared queue
    // __u8: RDMA reads and atomics that the sender of this accepts at the same time
    public static final int RESPONDER_RESOURCES = 266;
    // __u8: RDMA reads and atomics that the sender of this starts at the same time
    public static final int INITIATOR_DEPTH = 267;
    public static final int FLOW_CONTROL = 268; // __u8: 1 if the hardware has end-to-end flow control
    public static final int RETRY_COUNT = 269; // __u8: retries after a timeout, 0 to 7
    public static final int RNR_RETRY_COUNT = 270; // __u8: retries when no receive is posted, 0 to 7; 7 is unlimited
    public static final int VALID = 271; // __u8: 1 if the kernel must read the other members
    public static final int BYTES = 272;

    /** Copies the private data. */
    public ConnParam {
        privateData = PrivateData.copy(privateData);
    }

    /** Returns a copy. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    public void encode(ByteBuffer out, int base, boolean valid) {
        out.putInt(base + QP_NUM, qpNum);
        out.putInt(base + QKEY, qkey);
        PrivateData.encode(out, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN, privateData);
        out.put(base + SRQ, (byte) (srq ? 1 : 0));
        StructFields.putU8(out, base + RESPONDER_RESOURCES, responderResources);
        StructFields.putU8(out, base + INITIATOR_DEPTH, initiatorDepth);
        StructFields.putU8(out, base + FLOW_CONTROL, flowControl);
        StructFields.putU8(out, base + RETRY_COUNT, retryCount);
        StructFields.putU8(out, base + RNR_RETRY_COUNT, rnrRetryCount);
        out.put(base + VALID, (byte) (valid ? 1 : 0));
    }

    public static ConnParam decode(ByteBuffer in, int base) {
        return new ConnParam(
                in.getInt(base + QP_NUM),
                in.getInt(base + QKEY),
                PrivateData.decode(in, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN),
                in.get(base + SRQ) != 0,
                StructFields.getU8(in, base + RESPONDER_RESOURCES),
                StructFields.getU8(in, base + INITIATOR_DEPTH),
                StructFields.getU8(in, base + FLOW_CONTROL),
                StructFields.getU8(in, base + RETRY_COUNT),
                StructFields.getU8(in, base + RNR_RETRY_COUNT));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnParam that
                && qpNum == that.qpNum
                && qkey == that.qkey
                && Arrays.equals(privateData, that.privateData)
                && srq == that.srq
                && responderResources == that.responderResources
                && initiatorDepth == that.initiatorDepth
                && flowControl == that.flowControl
                && retryCount == that.retryCount
                && rnrRetryCount == that.rnrRetryCount;
    }

    @Override
    public int hashCode() {
        return 31 * qpNum + Arrays.hashCode(privateData);
    }

    @Override
    public String toString() {
        return "ConnParam[qpNum=" + qpNum + ", qkey=0x" + Integer.toHexString(qkey) + ", privateData="
                + privateData.length + " bytes, srq=" + srq + ", responderResources=" + responderResources
                + ", initiatorDepth=" + initiatorDepth + ", flowControl=" + flowControl + ", retryCount=" + retryCount
                + ", rnrRetryCount=" + rnrRetryCount + "]";
    }

    /**
     * The pair {@code __u8 private_data[RDMA_MAX_PRIVATE_DATA]} and {@code __u8 private_data_len}. The array is one
     * byte longer than the largest length. A message carries less than both; only the kernel knows the maximum.
     */
    static final class PrivateData {
        static final int MAX_LENGTH = 255;

        /** {@code RDMA_MAX_PRIVATE_DATA}, bytes. */
        private static final int ARRAY_BYTES = 256;

        private PrivateData() {}

        /** Returns a copy; throws {@link IllegalArgumentException} if longer than 255 bytes. */
        static byte[] copy(byte[] privateData) {
            if (privateData.length > MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "private data of " + privateData.length + " bytes, more than " + MAX_LENGTH);
            }
            return privateData.clone();
        }

        /** Writes the array, padded with zeros, and the length. */
        static void encode(ByteBuffer out, int arrayOffset, int lengthOffset, byte[] privateData) {
            out.put(arrayOffset, privateData);
            StructFields.zero(out, arrayOffset + privateData.length, ARRAY_BYTES - privateData.length);
            StructFields.putU8(out, lengthOffset, privateData.length);
        }

        static byte[] decode(ByteBuffer in, int arrayOffset, int lengthOffset) {
            byte[] privateData = new byte[StructFields.getU8(in, lengthOffset)];
            in.get(arrayOffset, privateData);
            return privateData;
        }
    }
}
