// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import static io.github.rdma4j.cm.CmState.*;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state machine of a CM id: the commands that each state allows, and the transitions of commands and events.
 *
 * <p>A command that is not in the table is rejected before it reaches the kernel, with an error that names the required
 * states. An event that is not in the table leaves the state unchanged and is still delivered, because the kernel
 * decides.
 */
public final class CmStateMachine {
    private static final Map<CmState, Map<CmCommand, CmState>> COMMANDS = new EnumMap<>(CmState.class);
    private static final Map<CmState, Map<CmEventType, CmState>> EVENTS = new EnumMap<>(CmState.class);

    static {
        command(CmCommand.BIND, IDLE, BOUND);
        command(CmCommand.RESOLVE_ADDRESS, IDLE, RESOLVING_ADDRESS);
        command(CmCommand.RESOLVE_ADDRESS, BOUND, RESOLVING_ADDRESS);
        event(RESOLVING_ADDRESS, CmEventType.ADDR_RESOLVED, ADDRESS_RESOLVED);
        event(RESOLVING_ADDRESS, CmEventType.ADDR_ERROR, BOUND);
        command(CmCommand.RESOLVE_ROUTE, ADDRESS_RESOLVED, RESOLVING_ROUTE);
        event(RESOLVING_ROUTE, CmEventType.ROUTE_RESOLVED, ROUTE_RESOLVED);
        event(RESOLVING_ROUTE, CmEventType.ROUTE_ERROR, ADDRESS_RESOLVED);

        for (CmState state : EnumSet.of(BOUND, ADDRESS_RESOLVED, RESOLVING_ROUTE, ROUTE_RESOLVED, REQUESTED)) {
            command(CmCommand.CREATE_QP, state, state);
        }

        command(CmCommand.LISTEN, IDLE, LISTENING);
        command(CmCommand.LISTEN, BOUND, LISTENING);
        event(LISTENING, CmEventType.CONNECT_REQUEST, LISTENING);

        command(CmCommand.CONNECT, ROUTE_RESOLVED, CONNECTING);
        event(CONNECTING, CmEventType.CONNECT_RESPONSE, RESPONDED);
        command(CmCommand.ESTABLISH, RESPONDED, ESTABLISHED);
        event(CONNECTING, CmEventType.CONNECT_ERROR, FAILED);
        event(CONNECTING, CmEventType.ADDR_ERROR, FAILED); // the queue key of a datagram peer does not match

        command(CmCommand.ACCEPT, REQUESTED, ACCEPTING);
        command(CmCommand.REJECT, REQUESTED, REFUSED);
        command(CmCommand.REJECT, RESPONDED, REFUSED);
        for (CmState state : EnumSet.of(CONNECTING, RESPONDED, ACCEPTING)) {
            event(state, CmEventType.ESTABLISHED, ESTABLISHED);
            event(state, CmEventType.REJECTED, REFUSED);
            event(state, CmEventType.UNREACHABLE, FAILED);
        }

        command(CmCommand.DISCONNECT, RESPONDED, DISCONNECTING);
        command(CmCommand.DISCONNECT, ACCEPTING, DISCONNECTING);
        command(CmCommand.DISCONNECT, ESTABLISHED, DISCONNECTING);
        command(CmCommand.DISCONNECT, DISCONNECTING, DISCONNECTING);
        command(CmCommand.DISCONNECT, DISCONNECTED, DISCONNECTED);
        for (CmState state : EnumSet.of(RESPONDED, ACCEPTING, ESTABLISHED, DISCONNECTING)) {
            event(state, CmEventType.DISCONNECTED, DISCONNECTED);
        }
        for (CmState state : EnumSet.of(ESTABLISHED, DISCONNECTING)) {
            // the peer closed before it received the last message of the active side
            event(state, CmEventType.REJECTED, DISCONNECTED);
            event(state, CmEventType.UNREACHABLE, DISCONNECTED);
            event(state, CmEventType.CONNECT_ERROR, DISCONNECTED);
        }
        command(CmCommand.ACCEPT_DATAGRAM, REQUESTED, ESTABLISHED);
        command(CmCommand.DISCONNECT_DATAGRAM, ESTABLISHED, DISCONNECTED);
        command(CmCommand.DISCONNECT_DATAGRAM, DISCONNECTED, DISCONNECTED);

        command(CmCommand.SET_IB_PATH, ADDRESS_RESOLVED, RESOLVING_ROUTE);
        stays(CmCommand.SET_AF_ONLY, IDLE, BOUND);
        stays(CmCommand.JOIN_MULTICAST, BOUND, ADDRESS_RESOLVED);
        stays(CmCommand.RESOLVE_SERVICE, BOUND);
        stays(CmCommand.NOTIFY, CONNECTING, RESPONDED, REQUESTED, ACCEPTING, ESTABLISHED, DISCONNECTING, DISCONNECTED);
        for (CmState state : EnumSet.complementOf(EnumSet.of(DEVICE_REMOVED, DESTROYED))) {
            stays(CmCommand.SET_TOS, state);
            if (state != LISTENING) {
                stays(CmCommand.SET_REUSE_ADDRESS, state);
            }
            stays(CmCommand.SET_ACK_TIMEOUT, state);
            stays(CmCommand.WRITE_EVENT, state);
            stays(CmCommand.MIGRATE, state);
        }
        for (CmState state : EnumSet.complementOf(EnumSet.of(DESTROYED))) {
            event(state, CmEventType.DEVICE_REMOVAL, DEVICE_REMOVED);
        }
    }

    private CmStateMachine() {}

    private static void command(CmCommand command, CmState from, CmState to) {
        COMMANDS.computeIfAbsent(from, key -> new EnumMap<>(CmCommand.class)).put(command, to);
    }

    private static void stays(CmCommand command, CmState... states) {
        for (CmState state : states) {
            command(command, state, state);
        }
    }

    private static void event(CmState from, CmEventType event, CmState to) {
        EVENTS.computeIfAbsent(from, key -> new EnumMap<>(CmEventType.class)).put(event, to);
    }

    /**
     * Returns the state to which {@code command} leads from {@code state}; empty if the state does not allow the
     * command.
     */
    public static Optional<CmState> after(CmState state, CmCommand command) {
        return Optional.ofNullable(COMMANDS.getOrDefault(state, Map.of()).get(command));
    }

    /** Returns the state to which {@code event} leads from {@code state}. */
    public static CmState after(CmState state, CmEventType event) {
        return EVENTS.getOrDefault(state, Map.of()).getOrDefault(event, state);
    }

    /** Returns the states that allow {@code command}. */
    public static Set<CmState> statesFor(CmCommand command) {
        Set<CmState> states = EnumSet.noneOf(CmState.class);
        COMMANDS.forEach((state, commands) -> {
            if (commands.containsKey(command)) {
                states.add(state);
            }
        });
        return states;
    }

    /** Returns the events that have a transition in {@code state}; other events leave the state unchanged. */
    public static Set<CmEventType> eventsIn(CmState state) {
        Map<CmEventType, CmState> row = EVENTS.get(state);
        return row == null ? Set.of() : Collections.unmodifiableSet(row.keySet());
    }
}
