// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A debugger sees the JVM in the guest as if it ran here. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebuggerIT {
    private static final String PROPERTY = "rdma4j.testbed.debug";
    private static final String SAMPLE = GuestSamples.Debugged.class.getName();

    private final List<String> seen = new ArrayList<>();

    private static TestExecutionSummary runTests() {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        // The guest ends with the session.
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(GuestSamples.Debugged.class))
                                    .build(),
                            listener);
        }
        return listener.getSummary();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The port opens when the JVM in the guest waits for a debugger. */
    private static VirtualMachine attach(int port, CompletableFuture<TestExecutionSummary> tests) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        argument(arguments, "hostname", "127.0.0.1");
        argument(arguments, "port", String.valueOf(port));
        while (true) {
            if (tests.isDone()) {
                throw new AssertionError("the tests did not wait for a debugger: " + failures(tests.get()));
            }
            try {
                return connector.attach(arguments);
            } catch (java.net.ConnectException e) {
                Thread.sleep(100);
            } catch (IllegalConnectorArgumentsException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static List<Throwable> failures(TestExecutionSummary summary) {
        return summary.getFailures().stream()
                .map(TestExecutionSummary.Failure::getException)
                .toList();
    }

    private static void argument(Map<String, Connector.Argument> arguments, String name, String value) {
        Objects.requireNonNull(arguments.get(name), name).setValue(value);
    }

    private void debug(VirtualMachine machine) throws Exception {
        ClassPrepareRequest prepare = machine.eventRequestManager().createClassPrepareRequest();
        prepare.addClassFilter(SAMPLE);
        prepare.enable();
        machine.resume();
        while (seen.isEmpty()) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                assertThat(event).isNotInstanceOf(VMDisconnectEvent.class);
                handle(machine, event);
            }
            events.resume();
        }
        machine.dispose();
    }

    private void handle(VirtualMachine machine, Event event) throws Exception {
        if (event instanceof ClassPrepareEvent prepared) {
            ReferenceType type = prepared.referenceType();
            machine.eventRequestManager()
                    .createBreakpointRequest(
                            type.methodsByName("stopsHere").get(0).location())
                    .enable();
        } else if (event instanceof BreakpointEvent stopped) {
            StackFrame frame = stopped.thread().frame(0);
            LocalVariable argument = frame.visibleVariableByName("secret");
            seen.add(stopped.location().method().name() + " " + frame.getValue(argument));
            // What the test compares is what the debugger puts there.
            frame.setValue(argument, machine.mirrorOf(42));
        }
    }

    @Nightly
    @Test
    void aDebuggerStopsInATest() throws Exception {
        int port = freePort();
        System.setProperty(PROPERTY, String.valueOf(port));
        try {
            CompletableFuture<TestExecutionSummary> tests = CompletableFuture.supplyAsync(DebuggerIT::runTests);
            VirtualMachine machine = attach(port, tests);
            debug(machine);

            TestExecutionSummary summary = tests.get(120, TimeUnit.SECONDS);
            assertThat(failures(summary)).isEmpty();
            assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
            assertThat(seen).containsExactly("stopsHere 41");
        } finally {
            System.clearProperty(PROPERTY);
        }
    }

    @Test
    void aPortThatIsNoneIsRefused() {
        System.setProperty(PROPERTY, "yes");
        try {
            assertThat(failures(runTests()))
                    .first()
                    .satisfies(failure -> assertThat(failure)
                            .hasMessageContaining(
                                    "rdma4j.testbed.debug is a port of this machine, 0 to 65535, not \"yes\""));
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
