// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Team;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of a program over a transport. */
final class SocketRun {
    /** Below the five seconds after which a close may give up. */
    private static final Duration TIMELY = Duration.ofSeconds(4);

    private final SocketProgram program;
    private final Ends ends;
    private final List<String> lines = new ArrayList<>();
    private final StringBuilder details = new StringBuilder();
    private boolean isTimely = true;
    private boolean isFailed;

    SocketRun(SocketProgram program, Ends ends) {
        this.program = program;
        this.ends = ends;
    }

    Outcome run() throws InterruptedException {
        try (ServerSocket listener = ends.listener();
                Socket client = ends.socket()) {
            if (size(3) > 0) {
                listener.setReceiveBufferSize(size(3));
            }
            if (size(0) > 0) {
                client.setSendBufferSize(size(0));
            }
            if (size(1) > 0) {
                client.setReceiveBufferSize(size(1));
            }
            listener.bind(new InetSocketAddress(ends.host(), 0));
            run(listener, client);
        } catch (IOException | IllegalStateException e) {
            lines.add("outside of threads: " + Team.text(e));
        }
        return new Outcome(lines, details.toString(), isFailed, isTimely);
    }

    private int size(int index) {
        return program.sizes().get(index);
    }

    private void run(ServerSocket listener, Socket client) throws IOException, InterruptedException {
        Socket[] accepted = new Socket[1];
        Team team = new Team();
        team.start("client", () -> {
            Thread.sleep(program.lateMillis());
            client.connect(listener.getLocalSocketAddress());
        });
        team.start("server", () -> accepted[0] = accept(listener));
        if (!told("connect", team, listener, client)) {
            return;
        }
        try (Socket server = accepted[0]) {
            if (size(2) > 0) {
                server.setSendBufferSize(size(2));
            }
            ends.check(client);
            ends.check(server);
            lines.add("ports " + (client.getLocalPort() == server.getPort()) + " "
                    + (server.getLocalPort() == listener.getLocalPort()) + ", " + client.getInetAddress() + ", "
                    + server.getInetAddress());
            Numbered toServer = new Numbered(1);
            Numbered toClient = new Numbered(2);
            run(new End(client, toServer, toClient), new End(server, toClient, toServer), listener);
        }
    }

    private Socket accept(ServerSocket listener) throws IOException {
        listener.setSoTimeout(program.acceptMillis());
        while (true) {
            try {
                return listener.accept();
            } catch (SocketTimeoutException e) {
                if (program.acceptMillis() == 0) {
                    throw e;
                }
            }
        }
    }

    private void run(End client, End server, ServerSocket listener) throws IOException, InterruptedException {
        for (Step step : program.steps()) {
            Team team = new Team();
            exchange(step, client, server, team);
            if (!told("exchange", team, client.socket, server.socket)) {
                return;
            }
            if (step.halfClose() != Step.HalfClose.NONE) {
                boolean isByClient = step.halfClose() == Step.HalfClose.CLIENT;
                halfClose(isByClient ? client : server, isByClient ? server : client);
            }
            states(client.socket, server.socket);
        }
        boolean isByClient = program.finish().isByClient();
        Team team = new Team();
        Finishing finishing =
                new Finishing(program.finish(), isByClient ? client : server, isByClient ? server : client, team);
        finishing.start();
        boolean unused = told("end", team, client.socket, server.socket);
        isTimely = System.nanoTime() - finishing.closedAt() < TIMELY.toNanos();
        lines.add("closer: " + finishing.closer());
        lines.add("follower: " + finishing.follower());
        states(client.socket, server.socket);
        lines.add("listener " + listener.isBound() + " " + listener.isClosed());
    }

    private static void exchange(Step step, End client, End server, Team team) throws IOException {
        client.socket.setSoTimeout(step.readMillis());
        server.socket.setSoTimeout(step.readMillis());
        team.start("client's writer", () -> client.write(step.toServer(), step, team));
        team.start("client's reader", () -> client.read(step.toClient(), step, team));
        team.start("server's writer", () -> server.write(step.toClient(), step, team));
        team.start("server's reader", () -> server.read(step.toServer(), step, team));
    }

    private void halfClose(End closing, End other) throws IOException {
        OutputStream out = closing.socket.getOutputStream();
        closing.socket.shutdownOutput();
        other.socket.setSoTimeout(0);
        lines.add("half closed: " + other.socket.getInputStream().read() + " "
                + other.socket.getInputStream().read());
        try {
            out.write(1);
            lines.add("written");
        } catch (IOException e) {
            lines.add(Team.text(e));
        }
    }

    private void states(Socket... sockets) {
        for (Socket socket : sockets) {
            lines.add(socket.isBound() + " " + socket.isConnected() + " " + socket.isClosed() + " "
                    + socket.isInputShutdown() + " " + socket.isOutputShutdown());
        }
    }

    /** Waits for the end of a part; returns whether it was a good one. */
    private boolean told(String name, Team team, AutoCloseable one, AutoCloseable other) throws InterruptedException {
        @Nullable
        String failure = team.await(() -> {
            one.close();
            other.close();
        });
        isFailed |= failure != null;
        lines.add(name + ": " + (failure == null ? "done" : failure));
        details.append(team.details());
        return failure == null;
    }
}
