// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

/** OpenSM in a guest with InfiniBand: its files are in {@code /run/opensm}. */
public final class SubnetManager {
    private static final String PID = "$(cat /run/opensm/pid)";

    private SubnetManager() {}

    /** Stops it: queries get no answer until it goes on. */
    public static void stop() throws InterruptedException {
        signal("STOP");
        String running = "grep -L 'State:.T' /proc/" + PID + "/task/*/status";
        Program.run("sh", "-c", "while " + running + " | grep -q .; do sleep 0.02; done");
    }

    /** Lets it go on. */
    public static void proceed() throws InterruptedException {
        signal("CONT");
    }

    /** Kills it; returns when it has ended. */
    public static void kill() throws InterruptedException {
        signal("KILL");
        Program.run("sh", "-c", "while kill -0 " + PID + " 2>&-; do sleep 0.02; done");
    }

    /** Starts it; it answers some time later. */
    public static void start() throws InterruptedException {
        Program.run("sh", "/run/opensm/start");
    }

    private static void signal(String name) throws InterruptedException {
        Program.run("sh", "-c", "kill -" + name + " " + PID);
    }
}
