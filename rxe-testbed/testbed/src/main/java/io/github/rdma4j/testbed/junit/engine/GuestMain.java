// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.Daemon;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The JVM in the guest: runs the tests that the engine names with the ordinary launcher, and reports events to the
 * engine. The protocol uses descriptors 3 and 4, so that tests and their child processes cannot disturb it through the
 * standard streams.
 */
public final class GuestMain {
    /** Gives the protocol the standard streams of the command that follows. */
    static final String[] SHELL = {"/bin/sh", "-c", "exec \"$@\" 3>&1 4<&0 0</dev/null 1>&2", "sh"};

    private static final int OUTPUT_BUFFER = 8192;

    private final DataInputStream in;
    private final EventSender sender;
    private Set<String> given = Set.of();
    private final BlockingQueue<Message> requests = new LinkedBlockingQueue<>();

    private GuestMain(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        sender = new EventSender(out);
    }

    /** Runs until the engine has no more tests. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        GuestMain guest =
                new GuestMain(new FileInputStream("/proc/self/fd/4"), new FileOutputStream("/proc/self/fd/3"));
        guest.redirect();
        try {
            guest.run();
            System.exit(0);
        } finally {
            // A thread of the tests must not keep the JVM alive.
            Runtime.getRuntime().halt(1);
        }
    }

    private void redirect() {
        System.setOut(stream(Message.Kind.OUT));
        System.setErr(stream(Message.Kind.ERR));
        sender.flushFirst(System.out, System.err);
    }

    private PrintStream stream(Message.Kind kind) {
        OutputStream framed = new OutputStream() {
            @Override
            public void write(int one) {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                byte[] copy = new byte[length];
                System.arraycopy(bytes, offset, copy, 0, length);
                sender.write(new Message(kind, copy));
            }
        };
        return new PrintStream(new BufferedOutputStream(framed, OUTPUT_BUFFER), true, StandardCharsets.UTF_8);
    }

    private void run() throws InterruptedException {
        sender.send(Message.Kind.HELLO, System.getProperty("os.version"));
        try (LauncherSession session = LauncherFactory.openSession()) {
            Daemon.start("requests", this::receive);
            for (Message frame = requests.take(); frame.kind() == Message.Kind.RUN; frame = requests.take()) {
                runTests(session.getLauncher(), frame);
            }
        }
    }

    // Runs beside the tests and ends this JVM when the host closes the stream.
    private void receive() {
        try {
            for (Message frame = Message.read(in); frame != null; frame = Message.read(in)) {
                switch (frame.kind()) {
                    case ARRIVED -> sender.arrived();
                    case EXPIRED -> sender.expire(frame.set(0));
                    default -> requests.add(frame);
                }
                if (frame.kind() == Message.Kind.END) {
                    return;
                }
            }
        } catch (IOException e) {
            // Treated as the end of the stream.
        }
        Runtime.getRuntime().halt(1);
    }

    private void runTests(Launcher launcher, Message frame) {
        setProperties(frame.map(0));
        Map<String, String> parameters = frame.map(1);
        Set<String> ids = frame.set(2);
        Throwable problem = null;
        try {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(
                            ids.stream().map(DiscoverySelectors::selectUniqueId).toList())
                    .filters(EngineFilter.includeEngines(Mirror.JUPITER))
                    .configurationParameters(parameters)
                    .build();
            launcher.execute(request, listeners());
            byte[] coverage = coverage();
            if (coverage != null) {
                sender.send(Message.Kind.COVERAGE, coverage);
            }
        } catch (RuntimeException | Error e) {
            // The platform passes on errors such as OutOfMemoryError.
            problem = e;
        }
        sender.send(Message.Kind.DONE, (Object) Throwables.forms(problem));
    }

    private TestExecutionListener[] listeners() {
        return TraceFiles.areWanted()
                ? new TestExecutionListener[] {sender, new TraceFiles.Recorder(sender)}
                : new TestExecutionListener[] {sender};
    }

    /** Sets the system properties of a request, and removes properties that only an earlier request had. */
    private void setProperties(Map<String, String> properties) {
        given.stream().filter(name -> !properties.containsKey(name)).forEach(System::clearProperty);
        properties.forEach(System::setProperty);
        given = Set.copyOf(properties.keySet());
    }

    /** The counts of JaCoCo's agent, if it runs in this JVM; the agent then counts from zero. */
    private static byte @Nullable [] coverage() {
        try {
            Object agent = Class.forName("org.jacoco.agent.rt.RT", true, ClassLoader.getSystemClassLoader())
                    .getMethod("getAgent")
                    .invoke(null);
            Class<?> type = Class.forName("org.jacoco.agent.rt.IAgent", true, ClassLoader.getSystemClassLoader());
            return (byte[]) type.getMethod("getExecutionData", boolean.class).invoke(agent, true);
        } catch (ClassNotFoundException e) {
            return null;
        } catch (InvocationTargetException e) {
            // The class exists, but no agent has started.
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JaCoCo has no getExecutionData(boolean)", e);
        }
    }
}
