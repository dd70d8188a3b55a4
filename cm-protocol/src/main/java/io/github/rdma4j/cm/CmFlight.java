// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.internal.flight.Flight.CmEventFacts;
import io.github.rdma4j.internal.ucm.CommandFacts;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdReply;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.UdParam;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A command that was sent while a Flight Recorder recording of commands was active.
 *
 * @param command the command
 * @param bytes the memory that the kernel read and wrote, in native byte order
 * @param body the offset of the body of the command
 * @param reply the offset of the reply, if the command has one
 */
record CmFlight(UcmCommand<?> command, ByteBuffer bytes, int body, int reply) {
    /** Records the command; {@code result} is the result of write(2), or a negative error number. */
    void end(Flight.Command span, long result) {
        SocketAddress address = CommandFacts.address(command.number(), bytes, body);
        span.end(
                command.shortName(),
                result < 0 ? CommandFacts.id(command.number(), bytes, body) : id(),
                CommandFacts.queuePair(command.number(), bytes, body),
                address == null ? "" : address.toString(),
                result < 0 ? (int) -result : 0);
    }

    private int id() {
        return command.equals(UcmCommand.CREATE_ID)
                ? bytes.getInt(reply + CreateIdReply.ID)
                : CommandFacts.id(command.number(), bytes, body);
    }

    /** Records an event. */
    static void event(EventReply event) {
        CmEventType type = CmEventType.of(event.event());
        int queuePair = 0;
        if (event.param() instanceof ConnParam peer) {
            queuePair = peer.qpNum();
        } else if (event.param() instanceof UdParam peer) {
            queuePair = peer.qpNum();
        }
        Flight.event(new CmEventFacts(
                type == CmEventType.UNKNOWN ? String.valueOf(event.event()) : type.name(),
                event.id(),
                event.uid(),
                event.status(),
                queuePair,
                event.param().privateData().length));
    }
}
