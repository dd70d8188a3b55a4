// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.recording;

import io.github.rdma4j.cm.CmEventType;
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
import io.github.rdma4j.research.trace.recording.Step.Actor;
import io.github.rdma4j.research.trace.recording.Step.Kind;
import io.github.rdma4j.research.trace.recording.Step.Side;
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
import java.util.Optional;

/** Reads the recording of a program that the recorder in the guest wrote. {@code recorder.pl} describes its lines. */
public final class CallRecording {
    private static final int UDP = 0x0111;
    private static final int IPOIB = 0x0002;
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
                    new Call(words).step(this).ifPresent(steps::add);
                }
            }
            case "start" -> start(program(Kind.START, words, line.split(" ", 4)[3]));
            case "end" -> end(program(Kind.END, words, "ends, status " + status(Integer.parseInt(words[3]))));
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

    private static String status(int status) {
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

    /** A call as the line has it. */
    private static final class Call {
        private final long entry;
        private final long exit;
        private final int process;
        private final String descriptor;
        private final long result;
        private final int command;
        private final ByteBuffer body;
        private final ByteBuffer reply;

        Call(String[] words) {
            entry = nanoseconds(words[1]);
            exit = nanoseconds(words[2]);
            process = Integer.parseInt(words[3]);
            descriptor = words[5];
            result = Long.parseLong(words[6]);
            ByteBuffer bytes = bytes(words[7]);
            command = bytes.getInt(CmHeader.CMD);
            body = bytes.position(CmHeader.BYTES).slice().order(ByteOrder.nativeOrder());
            reply = bytes(words[8]);
        }

        private static ByteBuffer bytes(String text) {
            byte[] bytes = text.equals("-") ? new byte[0] : HexFormat.of().parseHex(text);
            return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        }

        Optional<Step> step(CallRecording recording) {
            return command == CmCommands.RDMA_USER_CM_CMD_GET_EVENT
                    ? event(recording)
                    : Optional.of(command(recording));
        }

        private Step command(CallRecording recording) {
            Map<String, String> details = CommandDetails.of(command, body);
            if (result >= 0) {
                succeeded(recording, details);
            }
            details.put(Step.DESCRIPTOR, descriptor);
            String failure = result < 0 ? Errno.ofResult(result).name() : "";
            Actor actor = new Actor(recording.side, process);
            return new Step(Kind.COMMAND, CommandDetails.name(command), entry, exit, actor, failure, details);
        }

        private void succeeded(CallRecording recording, Map<String, String> details) {
            if (command == CmCommands.RDMA_USER_CM_CMD_CREATE_ID) {
                int portSpace = StructFields.getU16(body, CreateIdCommand.PS);
                boolean datagram = portSpace == UDP || portSpace == IPOIB;
                recording.datagrams.put(key("uid", body.getLong(CreateIdCommand.UID)), datagram);
                recording.datagrams.put(key("id", reply.getInt(0)), datagram);
                details.put(Step.ID, String.valueOf(reply.getInt(0)));
            } else if (command == CmCommands.RDMA_USER_CM_CMD_ACCEPT) {
                int id = body.getInt(AcceptCommand.ID);
                boolean datagram = recording.datagrams.getOrDefault(key("id", id), false);
                recording.datagrams.put(key("uid", body.getLong(AcceptCommand.UID)), datagram);
            } else if (command == CmCommands.RDMA_USER_CM_CMD_JOIN_MCAST) {
                recording.datagrams.put(key("uid", body.getLong(JoinMcastCommand.UID)), true);
                details.put("membership", String.valueOf(reply.getInt(0)));
            }
        }

        private String key(String what, long number) {
            return process + " " + what + " " + number;
        }

        /** None for a GET_EVENT that found no event, or that a signal ended. */
        private Optional<Step> event(CallRecording recording) {
            if (result < 0 || reply.remaining() < EventReply.RESERVED) {
                return Optional.empty();
            }
            ByteBuffer whole = ByteBuffer.allocate(EventReply.BYTES).order(ByteOrder.nativeOrder());
            whole.put(reply.duplicate()).clear();
            long uid = whole.getLong(EventReply.UID);
            boolean datagram = recording.datagrams.getOrDefault(key("uid", uid), false);
            EventReply event = EventReply.decode(whole, 0, datagram);
            CmEventType type = CmEventType.of(event.event());
            if (type == CmEventType.CONNECT_REQUEST) {
                recording.datagrams.put(key("id", event.id()), datagram);
            }
            String name = type == CmEventType.UNKNOWN ? "event " + event.event() : type.name();
            Actor actor = new Actor(recording.side, process);
            return Optional.of(new Step(Kind.EVENT, name, entry, exit, actor, status(event), details(event)));
        }

        private static String status(EventReply event) {
            int status = event.status();
            if (status == 0) {
                return "";
            }
            return status < 0 ? Errno.ofResult(status).name() : "status " + status;
        }

        private Map<String, String> details(EventReply event) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put(Step.ID, String.valueOf(event.id()));
            if (event.param() instanceof ConnParam peer && peer.qpNum() != 0) {
                details.put(Step.QUEUE_PAIR, String.valueOf(peer.qpNum()));
                CommandDetails.parameters(peer, details);
            } else if (event.param() instanceof UdParam peer && peer.qpNum() != 0) {
                details.put(Step.QUEUE_PAIR, String.valueOf(peer.qpNum()));
                details.put("Q_Key", "0x" + Integer.toHexString(peer.qkey()));
            }
            details.put(Step.DESCRIPTOR, descriptor);
            return details;
        }
    }
}
