// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.research.trace.Step.Actor;
import io.github.rdma4j.research.trace.Step.Kind;
import io.github.rdma4j.research.trace.Step.Side;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the recording of a program that the recorder in the guest wrote. {@code recorder.pl} describes its lines. */
public final class CallRecording {
    private static final int CALL_WORDS = 9;

    private final Side side;
    private final List<Step> steps = new ArrayList<>();

    /** Whether an id is a datagram id, by process and uid. The layout of its events depends on it. */
    private final Map<String, Boolean> datagrams = new HashMap<>();

    private CallRecording(Side side) {
        this.side = side;
    }

    /** The steps of the program in their order; none if there is no such file. */
    public static List<Step> read(Path file, Side side) throws IOException {
        CallRecording recording = new CallRecording(side);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                recording.line(line);
            }
        }
        return recording.steps;
    }

    private void line(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "call" -> {
                if (words.length == CALL_WORDS) {
                    call(words);
                }
            }
            case "start" -> start(program(Kind.START, words, line.split(" ", 4)[3]));
            case "end" -> end(program(Kind.END, words, "ends, status " + exitStatus(Integer.parseInt(words[3]))));
            default -> throw new IllegalArgumentException("no line of a recording: " + line);
        }
    }

    /** A process that becomes another program, as a shell does for its last command, has not done anything before. */
    private void start(Step start) {
        steps.removeIf(step -> step.kind() == Kind.START && step.actor().equals(start.actor()));
        steps.add(start);
    }

    /** Threads end as well, and have not started a program. */
    private void end(Step end) {
        if (steps.stream().anyMatch(step -> step.actor().equals(end.actor()))) {
            steps.add(end);
        }
    }

    private static String exitStatus(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? String.valueOf(status >> 8 & 0xff) : "of signal " + signal;
    }

    private Step program(Kind kind, String[] words, String text) {
        long time = nanoseconds(words[1]);
        return new Step(kind, text, time, time, new Actor(side, Integer.parseInt(words[2])), "", Map.of());
    }

    /** The time in nanoseconds that a text has in seconds. */
    public static long nanoseconds(String seconds) {
        return new BigDecimal(seconds).movePointRight(9).longValue();
    }

    private void call(String[] words) {
        ByteBuffer request = bytes(words[7]);
        ByteBuffer body = request.slice(CmHeader.BYTES, request.limit() - CmHeader.BYTES);
        Call call = new Call(
                nanoseconds(words[1]),
                nanoseconds(words[2]),
                Integer.parseInt(words[3]),
                words[5],
                Long.parseLong(words[6]),
                body.order(ByteOrder.nativeOrder()),
                bytes(words[8]));
        int command = request.getInt(CmHeader.CMD);
        if (command != CmCommands.RDMA_USER_CM_CMD_GET_EVENT) {
            steps.add(command(call, command));
        } else if (call.result >= 0 && call.reply.remaining() >= EventReply.RESERVED) {
            steps.add(event(call));
        }
    }

    private static ByteBuffer bytes(String text) {
        byte[] bytes = text.equals("-") ? new byte[0] : HexFormat.of().parseHex(text);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /** A call as the line has it. A GET_EVENT that found no event, or that a signal ended, is no step. */
    private record Call(
            long entry, long exit, int process, String descriptor, long result, ByteBuffer body, ByteBuffer reply) {
        String key(String what, long number) {
            return process + " " + what + " " + number;
        }
    }

    private Step step(Kind kind, String name, Call call, String result, Map<String, String> details) {
        details.put(Step.DESCRIPTOR, call.descriptor);
        return new Step(kind, name, call.entry, call.exit, new Actor(side, call.process), result, details);
    }

    private Step command(Call call, int command) {
        Map<String, String> details = CommandDetails.of(command, call.body);
        if (call.result >= 0) {
            succeeded(call, command, details);
        }
        String failure = call.result < 0 ? Errno.ofResult(call.result).name() : "";
        return step(Kind.COMMAND, CommandDetails.name(command), call, failure, details);
    }

    private void succeeded(Call call, int command, Map<String, String> details) {
        ByteBuffer body = call.body;
        if (command == CmCommands.RDMA_USER_CM_CMD_CREATE_ID) {
            int portSpace = StructFields.getU16(body, CreateIdCommand.PS);
            boolean datagram = portSpace == PortSpace.UDP.code() || portSpace == PortSpace.IPOIB.code();
            datagrams.put(call.key("uid", body.getLong(CreateIdCommand.UID)), datagram);
            datagrams.put(call.key("id", call.reply.getInt(0)), datagram);
            details.put(Step.ID, String.valueOf(call.reply.getInt(0)));
        } else if (command == CmCommands.RDMA_USER_CM_CMD_ACCEPT) {
            boolean datagram = datagrams.getOrDefault(call.key("id", body.getInt(AcceptCommand.ID)), false);
            datagrams.put(call.key("uid", body.getLong(AcceptCommand.UID)), datagram);
        } else if (command == CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST) {
            datagrams.put(call.key("uid", body.getLong(JoinMcastCommand.UID)), true);
            details.put("membership", String.valueOf(call.reply.getInt(0)));
        }
    }

    private Step event(Call call) {
        ByteBuffer whole = ByteBuffer.allocate(EventReply.BYTES).order(ByteOrder.nativeOrder());
        whole.put(call.reply.duplicate()).clear();
        boolean datagram = datagrams.getOrDefault(call.key("uid", whole.getLong(EventReply.UID)), false);
        EventReply event = EventReply.decode(whole, 0, datagram);
        CmEventType type = CmEventType.of(event.event());
        if (type == CmEventType.CONNECT_REQUEST) {
            datagrams.put(call.key("id", event.id()), datagram);
        }
        String name = type == CmEventType.UNKNOWN ? "event " + event.event() : type.name();
        return step(Kind.EVENT, name, call, status(event.status()), details(event));
    }

    /** The status of an event: an error of the kernel, or what the peer said. */
    static String status(int status) {
        if (status == 0) {
            return "";
        }
        return status < 0 ? Errno.ofResult(status).name() : "status " + status;
    }

    private static Map<String, String> details(EventReply event) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put(Step.ID, String.valueOf(event.id()));
        if (event.param() instanceof ConnParam peer && peer.qpNum() != 0) {
            details.put(Step.QUEUE_PAIR, String.valueOf(peer.qpNum()));
            CommandDetails.parameters(peer, details);
        } else if (event.param() instanceof UdParam peer && peer.qpNum() != 0) {
            details.put(Step.QUEUE_PAIR, String.valueOf(peer.qpNum()));
            details.put("Q_Key", "0x" + Integer.toHexString(peer.qkey()));
        }
        return details;
    }
}
