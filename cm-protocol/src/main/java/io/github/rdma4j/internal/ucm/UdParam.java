// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.ConnParam.PrivateData;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The peer or the group of a datagram id, as reported by events.
 *
 * <pre>{@code
 * struct rdma_ucm_ud_param {                     // uapi/rdma/rdma_user_cm.h
 *     __u32 qp_num;                              //   0
 *     __u32 qkey;                                //   4
 *     struct ib_uverbs_ah_attr ah_attr;          //   8
 *     __u8 private_data[RDMA_MAX_PRIVATE_DATA];  //  40  256 bytes
 *     __u8 private_data_len;                     // 296
 *     __u8 reserved[7];                          // 297
 * };                                             // 304
 * }</pre>
 *
 * @param qpNum the destination queue pair number, 24 bits; 0xffffff for a group
 * @param qkey the queue key
 * @param ahAttr the destination address
 * @param privateData the private data of the peer, 0 to 255 bytes
 */
@KernelStruct(value = "struct rdma_ucm_ud_param", header = "rdma/rdma_user_cm.h")
@SuppressWarnings("ArrayRecordComponent") // copied on input and output, and compared by content
public record UdParam(int qpNum, int qkey, AhAttr ahAttr, byte[] privateData) implements EventParam {
    public static final int QP_NUM = 0;
    public static final int QKEY = 4;
    public static final int AH_ATTR = 8;
    public static final int PRIVATE_DATA = 40;
    public static final int PRIVATE_DATA_LEN = 296;
    public static final int RESERVED = 297;
    public static final int BYTES = 304;

    /** Copies the private data. */
    public UdParam {
        privateData = PrivateData.copy(privateData);
    }

    /** Returns a copy. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + QP_NUM, qpNum);
        out.putInt(base + QKEY, qkey);
        AhAttrBytes.encode(ahAttr, out, base + AH_ATTR);
        PrivateData.encode(out, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN, privateData);
        StructFields.zero(out, base + RESERVED, BYTES - RESERVED);
    }

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static UdParam decode(ByteBuffer in, int base) {
        return new UdParam(
                in.getInt(base + QP_NUM),
                in.getInt(base + QKEY),
                AhAttrBytes.decode(in, base + AH_ATTR),
                PrivateData.decode(in, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UdParam that
                && qpNum == that.qpNum
                && qkey == that.qkey
                && ahAttr.equals(that.ahAttr)
                && Arrays.equals(privateData, that.privateData);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * qpNum + ahAttr.hashCode()) + Arrays.hashCode(privateData);
    }

    @Override
    public String toString() {
        return "UdParam[qpNum=" + qpNum + ", qkey=0x" + Integer.toHexString(qkey) + ", ahAttr=" + ahAttr
                + ", privateData=" + privateData.length + " bytes]";
    }
}
