// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

/** One command in one situation, with two ids. The command is given to one of them. */
final class Cell {
    final Command command;
    final End active;
    final End passive;
    private final boolean activeIsMeasured;
    private long joinsToEnd;
    private String result = Observation.NONE;
    private String events = Observation.NONE;
    private String peerEvents = Observation.NONE;

    Cell(Command command, End active, End passive, boolean activeIsMeasured) {
        this.command = command;
        this.active = active;
        this.passive = passive;
        this.activeIsMeasured = activeIsMeasured;
    }

    /** The id that the command is given to. */
    End own() {
        return activeIsMeasured ? active : passive;
    }

    End peer() {
        return activeIsMeasured ? passive : active;
    }

    /** Forgets the events that led here, and gives the command. */
    void issue(World world) {
        boolean joining = own().join != End.NO_ID && own().joinsEnded() == 0;
        joinsToEnd = joining ? 2 : 1;
        active.events.clear();
        passive.events.clear();
        result = command.give(own(), world);
    }

    /** The joins have ended, of the command and from before it. */
    boolean hasJoined() {
        return !command.joins() || !result.startsWith("OK") || own().joinsEnded() >= joinsToEnd;
    }

    /** Ends the window for what follows promptly: whatever comes from now on came later. */
    void settle() {
        events = own().takePrompt();
        peerEvents = peer().takePrompt();
    }

    Observation observation() {
        String later = own().held();
        String peerLater = peer().held();
        return new Observation(
                result, events, peerEvents, peerLater.equals(Observation.NONE) ? later : later + " peer " + peerLater);
    }
}
