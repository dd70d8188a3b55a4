// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.internal.uverbs.WriteCommands.*;

import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.nio.ByteBuffer;

/**
 * A command of the write set ({@code rdma/ib_user_verbs.h}) for a verb that has no method of its own in the ioctl: its number,
 * and the sizes of the request struct and of what the kernel answers. The request itself is written by an {@link Encoder}.
 * Drivers may append to request and reply.
 *
 * @param <R> what the reply is decoded to; {@link NoReply} for a command without one
 * @param number {@code IB_USER_VERBS_CMD_*}
 * @param name the C constant of {@code number}, for errors
 * @param requestBytes bytes of the request struct
 * @param replyBytes bytes of the reply struct; 0 for a command without a reply
 * @param decoder reads the reply
 */
public record WriteCommand<R>(int number, String name, int requestBytes, int replyBytes, Decoder<R> decoder) {
    /** The bytes of a request that is zeros: the address for a reply, at which the kernel does not look in an ioctl. */
    public static final int RESPONSE_ALONE = 8;

    /** Leaves a request what it is, zeros. */
    public static final Encoder ZEROS = (out, base) -> {};

    private static final String PREFIX = "IB_USER_VERBS_CMD_";

    public static final WriteCommand<DeviceAttr> QUERY_DEVICE = command(
            "QUERY_DEVICE",
            IB_USER_VERBS_CMD_QUERY_DEVICE,
            RESPONSE_ALONE,
            DeviceAttrBytes.Layout.BYTES,
            DeviceAttrBytes::decode);
    public static final WriteCommand<AllocPdReply> ALLOC_PD = command(
            "ALLOC_PD", IB_USER_VERBS_CMD_ALLOC_PD, RESPONSE_ALONE, AllocPdReply.Layout.BYTES, AllocPdReply::decode);
    public static final WriteCommand<RegMr.Reply> REG_MR = command(
            "REG_MR",
            IB_USER_VERBS_CMD_REG_MR,
            RegMr.Command.Layout.BYTES,
            RegMr.Reply.Layout.BYTES,
            RegMr.Reply::decode);
    public static final WriteCommand<ReregMr.Reply> REREG_MR = command(
            "REREG_MR",
            IB_USER_VERBS_CMD_REREG_MR,
            ReregMr.Command.Layout.BYTES,
            ReregMr.Reply.Layout.BYTES,
            ReregMr.Reply::decode);
    public static final WriteCommand<AllocMw.Reply> ALLOC_MW = command(
            "ALLOC_MW",
            IB_USER_VERBS_CMD_ALLOC_MW,
            AllocMw.Command.Layout.BYTES,
            AllocMw.Reply.Layout.BYTES,
            AllocMw.Reply::decode);
    public static final WriteCommand<ResizeCq.Reply> RESIZE_CQ = command(
            "RESIZE_CQ",
            IB_USER_VERBS_CMD_RESIZE_CQ,
            ResizeCq.Command.Layout.BYTES,
            ResizeCq.Reply.Layout.BYTES,
            ResizeCq.Reply::decode);
    public static final WriteCommand<CreateCompChannelReply> CREATE_COMP_CHANNEL = command(
            "CREATE_COMP_CHANNEL",
            IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
            RESPONSE_ALONE,
            CreateCompChannelReply.Layout.BYTES,
            CreateCompChannelReply::decode);
    public static final WriteCommand<NoReply> REQ_NOTIFY_CQ =
            command("REQ_NOTIFY_CQ", IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, ReqNotifyCqCommand.Layout.BYTES);
    public static final WriteCommand<QueryQp.Reply> QUERY_QP = command(
            "QUERY_QP",
            IB_USER_VERBS_CMD_QUERY_QP,
            QueryQp.Command.Layout.BYTES,
            QueryQp.Reply.Layout.BYTES,
            QueryQp.Reply::decode);
    public static final WriteCommand<NoReply> MODIFY_QP =
            command("MODIFY_QP", IB_USER_VERBS_CMD_MODIFY_QP, ModifyQpCommand.Layout.BYTES);
    public static final WriteCommand<CreateAh.Reply> CREATE_AH = command(
            "CREATE_AH",
            IB_USER_VERBS_CMD_CREATE_AH,
            CreateAh.Command.Layout.BYTES,
            CreateAh.Reply.Layout.BYTES,
            CreateAh.Reply::decode);
    public static final WriteCommand<SrqAttr> QUERY_SRQ = command(
            "QUERY_SRQ",
            IB_USER_VERBS_CMD_QUERY_SRQ,
            QuerySrqCommand.Layout.BYTES,
            SrqAttrBytes.Layout.BYTES,
            SrqAttrBytes::decode);
    public static final WriteCommand<NoReply> MODIFY_SRQ =
            command("MODIFY_SRQ", IB_USER_VERBS_CMD_MODIFY_SRQ, ModifySrqCommand.Layout.BYTES);
    public static final WriteCommand<OpenXrcd.Reply> OPEN_XRCD = command(
            "OPEN_XRCD",
            IB_USER_VERBS_CMD_OPEN_XRCD,
            OpenXrcd.Command.Layout.BYTES,
            OpenXrcd.Reply.Layout.BYTES,
            OpenXrcd.Reply::decode);
    public static final WriteCommand<NoReply> CLOSE_XRCD =
            command("CLOSE_XRCD", IB_USER_VERBS_CMD_CLOSE_XRCD, CloseXrcdCommand.Layout.BYTES);
    public static final WriteCommand<OpenQp.Reply> OPEN_QP = command(
            "OPEN_QP",
            IB_USER_VERBS_CMD_OPEN_QP,
            OpenQp.Command.Layout.BYTES,
            OpenQp.Reply.Layout.BYTES,
            OpenQp.Reply::decode);
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

    /** Writes a request at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Encoder {
        void encode(ByteBuffer out, int base);
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
