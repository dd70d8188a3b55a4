// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The exec server as a child process of this JVM. */
final class LocalServer implements AutoCloseable {
    final Process process;
    final ExecClient client = new ExecClient();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    LocalServer() throws IOException {
        this(1024);
    }

    /** A server that may have so many open files. */
    LocalServer(int files) throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + files + "; exec \"$@\"", "sh"));
        line.addAll(ExecClient.serverCommandLine());
        process = new ProcessBuilder(line).start();
        Thread complaints = copy(process.getErrorStream(), errors);
        copy(client.toServer(), process.getOutputStream());
        Thread output = copy(process.getInputStream(), client.fromServer());
        daemon(() -> {
            output.join();
            complaints.join();
            int status = process.waitFor();
            client.fail(() -> new IOException("the server ended with status " + status + ": " + errors()));
        });
    }

    String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    private Thread copy(InputStream from, OutputStream to) {
        return daemon(() -> {
            try (to) {
                byte[] chunk = new byte[65536];
                for (int read = from.read(chunk); read >= 0; read = from.read(chunk)) {
                    to.write(chunk, 0, read);
                    to.flush();
                }
            } catch (IOException e) {
                // Only the decoder's complaint is of interest: a server that has ended says more by its status.
                if (to == client.fromServer()) {
                    client.fail(() -> new IOException(e.getMessage(), e));
                }
            }
        });
    }

    private interface Body {
        void run() throws Exception;
    }

    private static Thread daemon(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() {
        client.quit();
        try {
            process.onExit().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new AssertionError("the server does not end", e);
        }
    }
}
