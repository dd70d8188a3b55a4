// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.support.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Our mckey in a thread of this JVM, with what it says while it runs. */
public final class OurMckey {
    private final StringWriter output = new StringWriter();
    private final Await.Running<Integer> running;

    private OurMckey(List<String> options) {
        PrintWriter writer = new PrintWriter(output, true);
        running = Await.inThread(() -> new CommandLine(new MckeyCommand())
                .setOut(writer)
                .setErr(writer)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    writer.println(failure.getMessage());
                    return 1;
                })
                .execute(options.toArray(String[]::new)));
    }

    /** Starts it with options that blanks separate. */
    public static OurMckey start(String options) {
        return new OurMckey(List.of(options.split(" ")));
    }

    /** Starts a receiver and waits until it has posted its receives and joined. */
    public static OurMckey receiver(String options) {
        OurMckey receiver = start(options);
        Await.until(
                "the receiver has joined",
                () -> receiver.output().contains("receiving data transfers") || receiver.running.isDone());
        assertThat(receiver.output()).contains("receiving data transfers");
        return receiver;
    }

    /** What it has said so far. */
    public String output() {
        return output.toString();
    }

    /** Waits for its end, with that status; what it said. */
    public String end(int status) throws Exception {
        assertThat(running.result()).as(output()).isEqualTo(status);
        return output();
    }
}
