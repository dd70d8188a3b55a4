// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;

/** A machine ended before its ports were connected. */
public final class MachineEndException extends TestbedException {
    private static final long serialVersionUID = 1L;

    /** The status of a process that SIGKILL ended, as the shell and the JDK report it. */
    private static final int KILLED = 137;

    private final boolean panicked;
    private final String kernelLines;

    MachineEndException(String message, MachineProcess.Console console) {
        super(message);
        panicked = console.panicked();
        kernelLines = console.tail();
    }

    /** Advice about such an end of the machine's process; empty if there is none. */
    public static String advice(int status, String complaints) {
        if (status == KILLED) {
            return ". Something killed it, as the kernel of this machine does when its memory runs out (see dmesg): give the"
                    + " guest less with --memory, memoryMib or @SoftRoce(memory), or run fewer guests at a time";
        }
        return complaints.contains("Cannot allocate memory")
                ? ". This machine has too little memory for the guest: give the guest less with --memory, memoryMib or"
                        + " @SoftRoce(memory)"
                : "";
    }

    /** Whether the machine's kernel panicked. */
    public boolean panicked() {
        return panicked;
    }

    /** The last lines that the machine's kernel wrote on its console. */
    public String kernelLines() {
        return kernelLines;
    }
}
