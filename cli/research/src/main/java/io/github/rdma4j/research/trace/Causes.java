// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static java.util.Map.entry;

import io.github.rdma4j.research.trace.CmMessageType.Names;
import io.github.rdma4j.research.trace.Step.Kind;
import io.github.rdma4j.research.trace.Step.Side;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds causes: the command that caused a message, the message that caused an event, and the message that a message
 * answers. Causes are found by queue pair numbers and communication ids, and by the order of messages without them.
 */
final class Causes {
    /** By how much the clocks may be wrong before causes have narrowed them down. */
    private static final long SLACK = 100_000_000L;

    private static final Map<String, Set<String>> COMMANDS_BEFORE_MESSAGE = Map.ofEntries(
            entry("REQ", Set.of("CONNECT")),
            entry("REP", Set.of("ACCEPT")),
            entry("RTU", Set.of("ACCEPT")),
            entry("REJ", Set.of("REJECT", "DESTROY_ID")),
            entry("DREQ", Set.of("DISCONNECT", "DESTROY_ID")),
            entry("DREP", Set.of("DISCONNECT", "DESTROY_ID")),
            entry("SIDR_REQ", Set.of("CONNECT")),
            entry("SIDR_REP", Set.of("ACCEPT", "REJECT")),
            entry(WireMessage.JOIN, Set.of("JOIN_MCAST")),
            entry(WireMessage.LEAVE, Set.of("LEAVE_MCAST", "DESTROY_ID")));

    private static final Map<String, Set<String>> MESSAGES_BEFORE_EVENT = Map.of(
            "CONNECT_REQUEST", Set.of("REQ", "SIDR_REQ"),
            "CONNECT_RESPONSE", Set.of("REP"),
            "ESTABLISHED", Set.of("RTU", "SIDR_REP"),
            "REJECTED", Set.of("REJ"),
            "DISCONNECTED", Set.of("DREQ", "DREP"),
            "UNREACHABLE", Set.of("SIDR_REP"));

    private static final Map<String, String> COMMAND_BEFORE_EVENT = Map.of(
            "ADDR_RESOLVED", "RESOLVE_ADDR",
            "ADDR_ERROR", "RESOLVE_ADDR",
            "ROUTE_RESOLVED", "RESOLVE_ROUTE",
            "ROUTE_ERROR", "RESOLVE_ROUTE",
            "MULTICAST_JOIN", "JOIN_MCAST",
            "MULTICAST_ERROR", "JOIN_MCAST");

    private final Trace trace;
    private final Clocks clocks;

    /** Steps and messages, each with what caused it. */
    private final IdentityHashMap<Object, List<Object>> causes = new IdentityHashMap<>();

    /** The commands that began a connection or membership. */
    private final Map<String, Step> origins = new HashMap<>();

    private final Set<Object> used = Collections.newSetFromMap(new IdentityHashMap<>());

    private Causes(Trace trace, Clocks clocks) {
        this.trace = trace;
        this.clocks = clocks;
    }

    /** Finds the causes, and tells {@code clocks} of them. */
    static Causes find(Trace trace, Clocks clocks) {
        Causes causes = new Causes(trace, clocks);
        causes.ofMessages();
        causes.ofEvents();
        return causes;
    }

    /** The steps and messages that caused a step or message. */
    List<Object> of(Object effect) {
        return causes.getOrDefault(effect, List.of());
    }

    private void add(Object effect, Object cause) {
        causes.computeIfAbsent(effect, key -> new ArrayList<>()).add(cause);
    }

    private long time(Step step, long nodeTime) {
        return nodeTime + clocks.offset(step.side());
    }

    // ---- messages

    private void ofMessages() {
        Map<String, WireMessage> received = new HashMap<>();
        Set<String> sent = new HashSet<>();
        for (WireMessage message : trace.messages()) {
            Side sender = Side.of(message.source());
            answered(message, received).ifPresent(earlier -> add(message, earlier));
            if (sent.add(identity(message))) {
                command(message, sender).ifPresent(step -> {
                    used.add(step);
                    origins.putIfAbsent(origin(message), step);
                    add(message, step);
                    clocks.causes(sender, step.begin(), message.time());
                });
            }
            message.mad().ifPresent(mad -> received.put(localId(mad), message));
        }
    }

    /** The same for a message that is sent again. */
    private static String identity(WireMessage message) {
        String what = message.mad()
                .map(mad -> String.valueOf(mad.header().transactionId()))
                .orElse(message.subject());
        return message.source() + " " + message.name() + " " + what;
    }

    private static String localId(CmMad mad) {
        boolean sidr = mad.type() == CmMessageType.SIDR_REQ || mad.type() == CmMessageType.SIDR_REP;
        return sidr ? "request " + mad.number(Names.REQUEST_ID) : "id " + mad.number(Names.LOCAL_ID);
    }

    /** The latest message of the peer with the communication id that this message answers to. */
    private static Optional<WireMessage> answered(WireMessage message, Map<String, WireMessage> received) {
        return message.mad()
                .filter(mad -> mad.type() != CmMessageType.REQ && mad.type() != CmMessageType.SIDR_REQ)
                .map(mad -> mad.type() == CmMessageType.SIDR_REP ? localId(mad) : "id " + mad.number(Names.REMOTE_ID))
                .map(received::get)
                .filter(earlier -> !earlier.source().equals(message.source()));
    }

    /** The first command of the sender that may have caused the message and has caused no other. */
    private Optional<Step> command(WireMessage message, Side sender) {
        Set<String> names = COMMANDS_BEFORE_MESSAGE.getOrDefault(message.kind(), Set.of());
        Step origin = origins.get(origin(message));
        return trace.steps().stream()
                .filter(step -> step.kind() == Kind.COMMAND && step.side() == sender && step.isSuccess())
                .filter(step -> names.contains(step.name()) && !used.contains(step))
                .filter(step -> time(step, step.begin()) <= message.time() + SLACK)
                .filter(step -> origin == null ? fits(step, message) : follows(step, origin))
                .findFirst();
    }

    /** By the number of the queue pair, or by the group. A command that ends a connection follows its first command. */
    private static boolean fits(Step command, WireMessage message) {
        return switch (message.kind()) {
            case "REQ", "REP" -> command.queuePair().equals(queuePair(message));
            case "SIDR_REP" ->
                command.queuePair().equals(queuePair(message)) || command.name().equals("REJECT");
            case "SIDR_REQ" -> true;
            case WireMessage.JOIN -> command.detail(Step.ADDRESS).contains(message.group());
            default -> false;
        };
    }

    /** A later command for the same id. The handle of a membership differs from the handle of its id. */
    private static boolean follows(Step command, Step origin) {
        return command.actor().equals(origin.actor())
                && command.begin() > origin.begin()
                && (command.name().equals("LEAVE_MCAST")
                        || command.detail(Step.ID).equals(origin.detail(Step.ID)));
    }

    /** The owner of a message: the sender's end of a connection, or its membership of a group. */
    private static String origin(WireMessage message) {
        String what = message.mad().map(Causes::localId).orElse(message.group());
        return message.source() + " " + what;
    }

    private static OptionalLong queuePair(WireMessage message) {
        return message.mad()
                .flatMap(mad -> mad.type()
                        .field(Names.LOCAL_QPN)
                        .or(() -> mad.type().field(Names.QPN))
                        .map(mad::number))
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    // ---- events

    private void ofEvents() {
        for (Step step : trace.steps()) {
            if (step.kind() == Kind.EVENT) {
                message(step).ifPresent(message -> {
                    used.add(message);
                    add(step, message);
                    clocks.isCausedBy(step.side(), step.end(), message.time());
                });
                resolution(step).ifPresent(command -> add(step, command));
            }
        }
    }

    /** The first message to the node that may have caused the event and has caused no other. */
    private Optional<WireMessage> message(Step event) {
        Set<String> names = MESSAGES_BEFORE_EVENT.getOrDefault(event.name(), Set.of());
        Predicate<WireMessage> reaches = message ->
                Side.of(message.source()) != event.side() && message.time() <= time(event, event.end()) + SLACK;
        return trace.messages().stream()
                .filter(message -> names.contains(message.name()) && !used.contains(message))
                .filter(reaches)
                .filter(message ->
                        queuePair(message).isEmpty() || queuePair(message).equals(event.queuePair()))
                .findFirst();
    }

    private Optional<Step> resolution(Step event) {
        String name = COMMAND_BEFORE_EVENT.getOrDefault(event.name(), "");
        return trace.steps().stream()
                .filter(step -> step.kind() == Kind.COMMAND
                        && step.name().equals(name)
                        && step.actor().equals(event.actor())
                        && step.begin() <= event.end())
                .filter(step ->
                        name.equals("JOIN_MCAST") || step.detail(Step.ID).equals(event.detail(Step.ID)))
                .reduce((first, second) -> second);
    }
}
