// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.Deadline;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * * This machine's end of QEMU's control socket, with the part of QEMU's machine protocol (QMP) that saves a machine.
 */
final class QemuMonitor implements AutoCloseable {
    private static final String NAME = "monitor";
    private static final String COMPLETED = "\"status\": \"completed\"";
    private static final String FAILED = "\"status\": \"failed\"";
    private static final String RETURN = "\"return\":";
    private static final String ERROR = "\"error\":";
    private static final long RETRY_MILLIS = 2;

    /** The limit for the last 64 KiB of a snapshot, which are in the pipe. */
    private static final Duration WRITING_LIMIT = Duration.ofSeconds(30);

    private final ServerSocketChannel server;
    private final Path socket;

    /**
     * * An empty file while a snapshot is written; it is then removed, or renamed to {@link #failed} after a failure.
     */
    private final Path writing;

    private final Path failed;

    /** Listens for a QEMU with the {@link #options}. */
    QemuMonitor(Path run) throws IOException {
        socket = run.resolve(NAME);
        writing = run.resolve("writing");
        failed = run.resolve("failed");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
    }

    /** The options with which QEMU connects before it runs the guest. */
    List<String> options() {
        return List.of(
                "-chardev",
                "socket,id=" + NAME + ",server=off,path=" + QemuCommandLine.escaped(socket.toString()),
                "-mon",
                "chardev=" + NAME + ",mode=control");
    }

    /** The options with which QEMU loads a saved machine and does not boot. */
    static List<String> load(Path file) {
        return List.of("-incoming", "exec:cat " + quoted(file));
    }

    /** Saves the machine of a connected QEMU. The machine runs on. */
    void save(Path file) throws IOException, InterruptedException {
        try (SocketChannel channel = server.accept();
                BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            execute(channel, answers, "'qmp_capabilities'");
            execute(
                    channel,
                    answers,
                    "'migrate-set-capabilities', 'arguments': {'capabilities': [{'capability': 'events', 'state': true}]}");
            execute(channel, answers, "'migrate-set-parameters', 'arguments': {'max-bandwidth': 100000000000}");
            // QEMU may report completion while the end of the file is still in the pipe.
            String target = "exec:if cat > " + quoted(file) + "; then rm " + quoted(writing) + "; else mv "
                    + quoted(writing) + " " + quoted(failed) + "; fi";
            Files.createFile(writing);
            execute(channel, answers, "'migrate', 'arguments': {'uri': \"" + escaped(target) + "\"}");
            boolean completed = await(answers, COMPLETED, FAILED).contains(COMPLETED);
            // QEMU refuses until it has cleaned up, which is after it has reported completion.
            while (answer(channel, answers, "'cont'").contains(ERROR)) {
                Thread.sleep(RETRY_MILLIS);
            }
            Deadline deadline = Deadline.after(WRITING_LIMIT);
            while (completed && Files.exists(writing) && !deadline.expired()) {
                Thread.sleep(RETRY_MILLIS);
            }
            if (!completed || Files.exists(writing) || Files.exists(failed)) {
                throw new IOException("QEMU could not save the guest");
            }
        }
    }

    private static void execute(SocketChannel channel, BufferedReader answers, String command) throws IOException {
        String answer = answer(channel, answers, command);
        if (answer.contains(ERROR)) {
            throw new IOException("QEMU refused " + command + ": " + answer);
        }
    }

    // Single quotes for Java strings; the protocol takes both kinds.
    private static String answer(SocketChannel channel, BufferedReader answers, String command) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode("{'execute': " + command + "}\n");
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return await(answers, RETURN, ERROR);
    }

    /** The next line that contains one of two texts. */
    private static String await(BufferedReader answers, String one, String other) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.contains(one) || line.contains(other)) {
                return line;
            }
        }
        throw new IOException("QEMU ended while it saved the guest");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** One word for sh. */
    private static String quoted(Path file) {
        return "'" + file.toString().replace("'", "'\\''") + "'";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
