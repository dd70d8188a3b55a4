// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A command that was written to a device of the kernel, as text: its number and its bytes, without what is not the same
 * in two runs. That is handles, ids, addresses of responses and buffers, numbers of queue pairs, and packet numbers.
 */
final class CommandBytes {
    private static final int HEADER = 8;
    private static final int OUT = 6;
    private static final int QP_NUMBER_BYTES = 4;
    private static final int HANDLE = 4;
    private static final int POINTER = 8;

    private CommandBytes() {}

    /** A write to rdma_cm: {@code u32 command, u16 in, u16 out} and the command's struct. */
    static String cm(byte[] bytes) {
        int command = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(0);
        Masked text = Masked.of(bytes);
        switch (command) {
            case CmCommands.RDMA_USER_CM_CMD_CREATE_ID -> text.hide(HEADER, 2 * POINTER); // uid, response
            case CmCommands.RDMA_USER_CM_CMD_CONNECT ->
                text.hide(HEADER + ConnectCommand.CONN_PARAM, QP_NUMBER_BYTES).hide(HEADER + ConnectCommand.ID, HANDLE);
            case CmCommands.RDMA_USER_CM_CMD_ACCEPT ->
                text.hide(HEADER, POINTER) // uid
                        .hide(HEADER + AcceptCommand.CONN_PARAM, QP_NUMBER_BYTES)
                        .hide(HEADER + AcceptCommand.ID, HANDLE);
            case CmCommands.RDMA_USER_CM_CMD_BIND -> text.hide(HEADER + BindCommand.ID, HANDLE);
            case CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR -> text.hide(HEADER + ResolveAddrCommand.ID, HANDLE);
            case CmCommands.RDMA_USER_CM_CMD_LISTEN ->
                // Exception: how many requests may wait is the program's choice, and ours is another than rping's.
                text.hide(HEADER + ListenCommand.ID, ListenCommand.BYTES);
            case CmCommands.RDMA_USER_CM_CMD_RESOLVE_ROUTE, CmCommands.RDMA_USER_CM_CMD_DISCONNECT ->
                text.hide(HEADER, HANDLE);
            case CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID ->
                text.hide(HEADER, MigrateIdCommand.BYTES); // response, id, descriptor
            case CmCommands.RDMA_USER_CM_CMD_QUERY -> {
                text.hide(HEADER, POINTER + HANDLE); // response, id
                if (bytes[HEADER + POINTER + HANDLE] == QueryOptions.RDMA_USER_CM_QUERY_PATH) {
                    text.hide(OUT, 2); // exception: our room for paths is one larger, see QueryPathReply
                }
            }
            default -> text.hide(HEADER, POINTER + HANDLE); // response, id
        }
        return "rdma_cm " + command + " " + text;
    }

    /** A write to uverbs: {@code u32 command, u16 in, u16 out}, response and handle, and the rest of the struct. */
    static String uverbs(byte[] bytes) {
        int command = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(0);
        Masked text = Masked.of(bytes).hide(HEADER, POINTER + HANDLE);
        if (command == WriteCommands.IB_USER_VERBS_CMD_POST_SEND) {
            // Exception: the size of a work request, of which none follows. C gives that of its own struct, 128; the
            // kernel wants at least that of its own, 56, and looks no further.
            text.hide(bytes.length - 4, 4);
        }
        return "uverbs " + command + " " + text;
    }
}
