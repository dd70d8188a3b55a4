// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import jdk.jfr.FlightRecorder;

/** The state of the Flight Recorder. */
final class JfrState {
    private JfrState() {}

    /** True once the process has had a recording. */
    static boolean isOn() {
        return FlightRecorder.isInitialized();
    }
}
