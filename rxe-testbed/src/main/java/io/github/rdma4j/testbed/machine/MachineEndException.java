// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;

/** A machine ended before its ports were connected. */
public final class MachineEndException extends TestbedException {
    private static final long serialVersionUID = 1L;

    private final boolean panicked;
    private final String kernelLines;

    MachineEndException(String message, Console console) {
        super(message);
        panicked = console.panicked();
        kernelLines = console.tail();
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
