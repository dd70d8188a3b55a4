// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

/** The text of a failure, in one line. */
public final class Trouble {
    private Trouble() {}

    /** The message of {@code failure}, or its class when it has no message. */
    public static String text(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof OutOfMemoryError) {
            return "this JVM is out of memory or threads (" + message
                    + "); raise the limit with JAVA_TOOL_OPTIONS=-Xmx... or -XX:MaxDirectMemorySize=..., or ulimit -u";
        }
        return message == null ? failure.toString() : message.replaceAll("\\s*\\R\\s*", " ");
    }
}
