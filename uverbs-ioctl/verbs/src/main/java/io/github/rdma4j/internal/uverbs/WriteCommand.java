// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.internal.uverbs.WriteCommands.*;

import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.SrqAttr;
import java.nio.ByteBuffer;

/**
 * A command of the write set ({@code rdma/ib_user_verbs.h}) for a verb that has no method of its own in the ioctl: its number, and the sizes of the request struct and of what the
 * kernel answers. The request itself is written by an {@link Encoder} or {@link AskingEncoder}. Drivers may append to
 * request and reply.
 *
 * @param <R> what the reply is decoded to; {@link NoReply} for a command without one
 * @param number {@code IB_USER_VERBS_CMD_*}
 * @param name the C constant of {@code number}, for errors
 * @param requestBytes bytes of the request struct
 * @param replyBytes bytes of the reply struct; 0 for a command without a reply
 * @param decoder reads the reply
 */
public record WriteCommand<R>(int number, String name, int requestBytes, int replyBytes, Decoder<R> decoder) {
    private static final String PREFIX = "IB_USER_VERBS_CMD_";

    public static final WriteCommand<DeviceAttr> QUERY_DEVICE = command(
            "QUERY_DEVICE",
            IB_USER_VERBS_CMD_QUERY_DEVICE,
            QueryDeviceCommand.Layout.BYTES,
            DeviceAttrBytes.Layout.BYTES,
            DeviceAttrBytes::decode);
    public static final WriteCommand<AllocPdReply> ALLOC_PD = command(
            "ALLOC_PD",
            IB_USER_VERBS_CMD_ALLOC_PD,
            AllocPdCommand.Layout.BYTES,
            AllocPdReply.Layout.BYTES,
            AllocPdReply::decode);
    public static final WriteCommand<RegMrReply> REG_MR = command(
            "REG_MR", IB_USER_VERBS_CMD_REG_MR, RegMrCommand.Layout.BYTES, RegMrReply.Layout.BYTES, RegMrReply::decode);
    public static final WriteCommand<ReregMrReply> REREG_MR = command(
            "REREG_MR",
            IB_USER_VERBS_CMD_REREG_MR,
            ReregMrCommand.Layout.BYTES,
            ReregMrReply.Layout.BYTES,
            ReregMrReply::decode);
    public static final WriteCommand<AllocMwReply> ALLOC_MW = command(
            "ALLOC_MW",
            IB_USER_VERBS_CMD_ALLOC_MW,
            AllocMwCommand.Layout.BYTES,
            AllocMwReply.Layout.BYTES,
            AllocMwReply::decode);
    public static final WriteCommand<ResizeCqReply> RESIZE_CQ = command(
            "RESIZE_CQ",
            IB_USER_VERBS_CMD_RESIZE_CQ,
            ResizeCqCommand.Layout.BYTES,
            ResizeCqReply.Layout.BYTES,
            ResizeCqReply::decode);
    public static final WriteCommand<CreateCompChannelReply> CREATE_COMP_CHANNEL = command(
            "CREATE_COMP_CHANNEL",
            IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
            CreateCompChannelCommand.Layout.BYTES,
            CreateCompChannelReply.Layout.BYTES,
            CreateCompChannelReply::decode);
    public static final WriteCommand<NoReply> REQ_NOTIFY_CQ =
            command("REQ_NOTIFY_CQ", IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, ReqNotifyCqCommand.Layout.BYTES);
    public static final WriteCommand<QueryQpReply> QUERY_QP = command(
            "QUERY_QP",
            IB_USER_VERBS_CMD_QUERY_QP,
            QueryQpCommand.Layout.BYTES,
            QueryQpReply.Layout.BYTES,
            QueryQpReply::decode);
    public static final WriteCommand<NoReply> MODIFY_QP =
            command("MODIFY_QP", IB_USER_VERBS_CMD_MODIFY_QP, ModifyQpCommand.Layout.BYTES);
    public static final WriteCommand<CreateAhReply> CREATE_AH = command(
            "CREATE_AH",
            IB_USER_VERBS_CMD_CREATE_AH,
            CreateAhCommand.Layout.BYTES,
            CreateAhReply.Layout.BYTES,
            CreateAhReply::decode);
    public static final WriteCommand<SrqAttr> QUERY_SRQ = command(
            "QUERY_SRQ",
            IB_USER_VERBS_CMD_QUERY_SRQ,
            QuerySrqCommand.Layout.BYTES,
            SrqAttrBytes.Layout.BYTES,
            SrqAttrBytes::decode);
    public static final WriteCommand<NoReply> MODIFY_SRQ =
            command("MODIFY_SRQ", IB_USER_VERBS_CMD_MODIFY_SRQ, ModifySrqCommand.Layout.BYTES);
    public static final WriteCommand<OpenXrcdReply> OPEN_XRCD = command(
            "OPEN_XRCD",
            IB_USER_VERBS_CMD_OPEN_XRCD,
            OpenXrcdCommand.Layout.BYTES,
            OpenXrcdReply.Layout.BYTES,
            OpenXrcdReply::decode);
    public static final WriteCommand<NoReply> CLOSE_XRCD =
            command("CLOSE_XRCD", IB_USER_VERBS_CMD_CLOSE_XRCD, CloseXrcdCommand.Layout.BYTES);
    public static final WriteCommand<CreateQpReply> OPEN_QP = command(
            "OPEN_QP",
            IB_USER_VERBS_CMD_OPEN_QP,
            OpenQpCommand.Layout.BYTES,
            CreateQpReply.Layout.BYTES,
            CreateQpReply::decode);
    public static final WriteCommand<NoReply> ATTACH_MCAST =
            command("ATTACH_MCAST", IB_USER_VERBS_CMD_ATTACH_MCAST, AttachMcastCommand.Layout.BYTES);
    public static final WriteCommand<NoReply> DETACH_MCAST =
            command("DETACH_MCAST", IB_USER_VERBS_CMD_DETACH_MCAST, AttachMcastCommand.Layout.BYTES);

    /** The reply of a command that the kernel answers with the result of the call alone. */
    public enum NoReply {
        NO_REPLY
    }

    /** Reads a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(ByteBuffer in, int base);
    }

    /** Writes the request of a command without a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Encoder {
        void encode(ByteBuffer out, int base);
    }

    /** Writes the request of a command that holds the address of its reply. */
    @FunctionalInterface
    public interface AskingEncoder {
        void encode(ByteBuffer out, int base, long reply);
    }

    private static <R> WriteCommand<R> command(
            String name, int number, int requestBytes, int replyBytes, Decoder<R> decoder) {
        return new WriteCommand<>(number, PREFIX + name, requestBytes, replyBytes, decoder);
    }

    private static WriteCommand<NoReply> command(String name, int number, int requestBytes) {
        return command(name, number, requestBytes, 0, (in, base) -> NoReply.NO_REPLY);
    }

    /** The name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
