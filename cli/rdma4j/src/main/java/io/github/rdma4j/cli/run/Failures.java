// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Set;

/** The texts of failures. */
public final class Failures {
    private Failures() {}

    /** The message of {@code failure}, or its class if it has no message. */
    public static String text(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof OutOfMemoryError) {
            return "this JVM is out of memory or threads (" + message
                    + "); raise the limit with JAVA_TOOL_OPTIONS=-Xmx... or -XX:MaxDirectMemorySize=..., or ulimit -u";
        }
        return message == null ? failure.toString() : message.replaceAll("\\s*\\R\\s*", " ");
    }

    /** True if one of the errors is the failure or a cause of it. */
    public static boolean isCausedBy(Throwable failure, Set<Errno> errors) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ErrnoException refused && errors.contains(refused.errno())) {
                return true;
            }
        }
        return false;
    }

    /** The failure reported by an event; for a removed device, explains the removal. */
    public static RdmaException of(CmEvent event) {
        RdmaException failure = event.toException();
        return event.type() == CmEventType.DEVICE_REMOVAL
                ? new RdmaException("the device was removed: " + failure.getMessage(), failure)
                : failure;
    }

    /** Runs all steps, and finally throws the first failure. */
    public static void closeAll(FirstFailure.Step... steps) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (FirstFailure.Step step : steps) {
            failure.attempt(step);
        }
        failure.throwIfAny();
    }
}
