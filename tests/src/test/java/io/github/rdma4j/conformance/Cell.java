// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

/** One command in one situation: two ids of its own, one of which the command is given to. */
final class Cell {
    final Command command;
    final End active;
    final End passive;
    private final boolean activeIsMeasured;
    private String result = Observation.NONE;

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
        active.events.clear();
        passive.events.clear();
        result = command.give(own(), world);
    }

    Observation observation() {
        String later = own().events(true);
        String peerLater = peer().events(true);
        return new Observation(
                result,
                own().events(false),
                peer().events(false),
                peerLater.equals(Observation.NONE) ? later : later + " peer " + peerLater);
    }
}
