// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The device goes while programs are busy or wait: each says so and ends, or lets go of the device and goes on, and the
 * administrator's command is not held up.
 */
@RequiresKernel
class DeviceRemovalOfProgramsKernelIT {
    private static final String REMOVED = "removed";
    private static final String MANY_PINGS = "rdma-ping-200:";
    private static final int FAILURE = 1;

    private RemovableLink device;
    private final String port = Integer.toString(Rxe.newPort());

    @BeforeEach
    void makeDevice() throws InterruptedException {
        device = RemovableLink.make();
    }

    @AfterEach
    void removeDevice() {
        device.close();
    }

    private RunningCommand pingServer(String more) {
        return RunningCommand.start("ping --server -p " + port + more).awaitOutput("listening");
    }

    private RunningCommand pingClient() {
        return RunningCommand.start("ping " + RemovableLink.ADDRESS + " -v -p " + port)
                .awaitOutput(MANY_PINGS);
    }

    private static void assertEndedByRemoval(RunningCommand command) throws Exception {
        assertThat(command.status()).as("%s", command).isEqualTo(FAILURE);
        assertThat(command.complaint()).contains(REMOVED).hasLineCount(1);
    }

    @Test
    void endsPingAtFullRateOnBothSides() throws Exception {
        try (RunningCommand server = pingServer(" " + RemovableLink.ADDRESS);
                RunningCommand client = pingClient()) {
            device.remove();
            assertThat(client.status()).isEqualTo(FAILURE);
            assertThat(client.complaint())
                    .containsAnyOf(REMOVED, "disconnected")
                    .hasLineCount(1);
            assertEndedByRemoval(server);
        }
    }

    /** In processes of their own, as they are used: the client alone would hold up the deletion. */
    @Nightly
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endsAPingProcess() throws Exception {
        try (Program server = Program.start("rping", "-s", "-P", "-a", RemovableLink.ADDRESS, "-p", port)) {
            Listeners.await(Integer.parseInt(port));
            List<String> command = Program.java(Main.class, "ping", RemovableLink.ADDRESS, "-v", "-p", port);
            try (Program client = Program.start(command)) {
                client.awaitOutput(MANY_PINGS, BadClientsKernelIT.START);
                try (Program deletion = device.delete()) {
                    assertThat(client.status()).as("%s", client).isEqualTo(FAILURE);
                    // The server's memory may go before the event of the removal comes.
                    assertThat(client.output()).containsAnyOf(REMOVED, "disconnected", "REM_OP_ERR");
                    server.kill();
                    deletion.success();
                }
            }
        }
    }

    @Test
    void leavesAPingServerOnEveryAddressForTheDeviceThatComesBack() throws Exception {
        try (RunningCommand server = pingServer("")) {
            try (RunningCommand client = pingClient()) {
                device.remove();
                assertThat(client.status()).isEqualTo(FAILURE);
            }
            // The client may disconnect, for it knows of the removal, before the server's connection does.
            server.awaitOutput(REMOVED, "served");
            assertThat(server.isRunning()).isTrue();
            device.add();
            try (RunningCommand again = RunningCommand.start("ping " + RemovableLink.ADDRESS + " -C 10 -p " + port)) {
                again.success();
            }
        }
    }

    @Test
    void endsCmatoseThatWaitsForMessages() throws Exception {
        String options = " -S 4000 -p " + port;
        try (RunningCommand server = RunningCommand.start("cmatose -b " + RemovableLink.ADDRESS + " -C 50" + options)
                .awaitOutput("starting server")) {
            Listeners.await(Integer.parseInt(port));
            // Of the 100 that the client waits for, half never come.
            try (RunningCommand client = RunningCommand.start(
                            "cmatose -s " + RemovableLink.ADDRESS + " -C 100" + options)
                    .awaitOutput("receiving")) {
                server.awaitOutput("receiving");
                device.remove();
                assertThat(client.status()).isEqualTo(FAILURE);
                assertThat(server.status()).isEqualTo(FAILURE);
                // Who learns of the removal first ends the connection, and the other side may see that first. A server
                // says so in its output, because it lives on.
                assertThat(client.complaint() + server.output() + server.complaint())
                        .contains(REMOVED);
            }
        }
    }

    @Test
    void leavesACmatoseServerOnEveryAddressThatWaitsForConnections() throws Exception {
        try (RunningCommand server =
                RunningCommand.start("cmatose -c 2 -p " + port).awaitOutput("starting server")) {
            Listeners.await(Integer.parseInt(port));
            try (RunningCommand client = RunningCommand.start("cmatose -s " + RemovableLink.ADDRESS + " -p " + port)
                    .awaitOutput("receiving")) {
                device.remove();
                assertThat(client.status()).isEqualTo(FAILURE);
            }
            server.awaitOutput("another connection may take its place");
            device.add();
            server.serves("cmatose -c 2 -s " + RemovableLink.ADDRESS + " -p " + port);
            server.success();
        }
    }

    @Test
    void endsUdaddyThatWaitsForMessages() throws Exception {
        try (RunningCommand server = RunningCommand.start("udaddy -b " + RemovableLink.ADDRESS + " -c 2")
                .awaitOutput("starting server")) {
            Listeners.await(7174);
            try (RunningCommand client =
                    RunningCommand.start("udaddy -s " + RemovableLink.ADDRESS).awaitOutput("receiving")) {
                device.remove();
                assertEndedByRemoval(client);
                assertEndedByRemoval(server);
            }
        }
    }

    @Test
    void endsMckeyThatWaitsOnBothSides() throws Exception {
        String options = "-m 239.8.8.8 -b " + RemovableLink.ADDRESS;
        try (RunningCommand receiver = RunningCommand.start("mckey " + options).awaitOutput("receiving");
                RunningCommand sender =
                        RunningCommand.start("mckey " + options + " -s -d 1000").awaitOutput("joined")) {
            device.remove();
            assertEndedByRemoval(receiver);
            assertEndedByRemoval(sender);
        }
    }

    /** The polling threads wait for nothing that the removal would end. */
    @ParameterizedTest
    @ValueSource(strings = {"write_lat", "send_lat -e"})
    void endsPerfInTheMidstOfMeasuring(String program) throws Exception {
        String options = program + " -n 10000000 -p " + port;
        try (RunningCommand server = RunningCommand.start("perf " + options).awaitOutput("waiting for a client");
                RunningCommand client = RunningCommand.start("perf " + options + " " + RemovableLink.ADDRESS)
                        .awaitOutput("remote address")) {
            device.remove();
            assertThat(client.status()).isEqualTo(FAILURE);
            assertThat(server.status()).isEqualTo(FAILURE);
            // The side that learns of the removal first ends the connection, and the other side may see that first.
            assertThat(client.complaint() + server.complaint())
                    .contains(REMOVED)
                    .hasLineCount(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "read_bw"})
    @Nightly
    void endsPerfInTheMidstOfMeasuringAtNight(String program) throws Exception {
        endsPerfInTheMidstOfMeasuring(program);
    }

    @Test
    void endsCmtimeInTheMidstOfConnecting() throws Exception {
        try (RunningCommand server = RunningCommand.start("cmtime -p " + port).awaitOutput("listening")) {
            try (RunningCommand client = RunningCommand.start(
                            "cmtime -s " + RemovableLink.ADDRESS + " -c 400 -p " + port)
                    .awaitOutput("connecting")) {
                device.remove();
                assertThat(client.status()).as("%s", client).isEqualTo(FAILURE);
                assertThat(client.output()).contains(REMOVED);
            }
            assertThat(server.isRunning()).isTrue();
            device.add();
            server.serves("cmtime -s " + RemovableLink.ADDRESS + " -c 10 -p " + port);
        }
    }

    @Test
    void endsServersOnTheAddressOfTheDevice() throws Exception {
        String address = RemovableLink.ADDRESS + " -p ";
        try (RunningCommand perf = RunningCommand.start("perf send_bw --source_ip " + address + Rxe.newPort())
                        .awaitOutput("waiting for a client");
                RunningCommand cmtime =
                        RunningCommand.start("cmtime -b " + address + port).awaitOutput("listening")) {
            device.remove();
            assertEndedByRemoval(perf);
            assertEndedByRemoval(cmtime);
        }
    }
}
