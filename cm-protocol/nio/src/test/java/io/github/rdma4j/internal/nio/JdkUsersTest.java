// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import io.github.rdma4j.nio.RdmaSockets;
import io.github.rdma4j.support.NotEmulated;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Hashtable;
import java.util.List;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of the JDK that open channels and selectors work in a JVM whose default provider is this project's. */
@NotEmulated
@Timeout(120)
class JdkUsersTest {
    private static final String SWITCH =
            "-Djava.nio.channels.spi.SelectorProvider=io.github.rdma4j.nio.RdmaSelectorProvider";

    @Test
    void theJdksOwnUsersOfTheDefaultProviderWork() throws Exception {
        List<String> command = Program.java(Users.class);
        command.add(1, SWITCH);
        try (Program program = Program.start(command)) {
            assertThat(program.success())
                    .contains("provider io.github.rdma4j.nio.RdmaSelectorProvider")
                    .contains("JNDI TXT: \"the answer\"")
                    .contains("HTTP 200 hello")
                    .contains("RMI called")
                    .contains("JMX " + System.getProperty("java.specification.version"))
                    .contains("inherited null");
        }
    }

    @Test
    void theJdksOwnUsersOfPlainSocketsWork() throws Exception {
        try (Program program = Program.start(Program.java(Users.class, "install"))) {
            assertThat(program.success())
                    .contains("HTTP 200 hello", "RMI called", "JMX ")
                    .containsPattern("accepted 0 over RDMA and [1-9]\\d* over TCP");
        }
    }

    @Test
    void oneFactoryIsSetOnceAndNotWhereAProxyWouldBeLeftOut() throws Exception {
        try (Program program = Program.start(Program.java(Installs.class))) {
            assertThat(program.success())
                    .contains("IllegalStateException: the property socksProxyHost sends sockets to a proxy of SOCKS")
                    .contains("IllegalArgumentException: line 1 of the property io.github.rdma4j.nio.rules")
                    .contains("SocketException: another factory of sockets was set before")
                    .contains("the JDK's socket: false");
        }
    }

    @Test
    void aWrongRuleIsAnIllegalArgumentAtTheFirstChannel() throws Exception {
        List<String> command = Program.java(FirstChannel.class);
        command.addAll(1, List.of(SWITCH, "-Dio.github.rdma4j.nio.rules=rdam *; tcp *"));
        try (Program program = Program.start(command)) {
            assertThat(program.success())
                    .contains("java.lang.IllegalArgumentException: line 1 of the property io.github.rdma4j.nio.rules:"
                            + " 'rdam' begins no rule");
        }
    }

    /** As inetd(8) starts a program: the socket is its standard input and output. */
    @ParameterizedTest
    @ValueSource(strings = {SWITCH, "-Djava.awt.headless=true"})
    void aProgramHasTheSocketThatItWasStartedWith(String option) throws Exception {
        List<String> command = Program.java(Inetd.class);
        command.add(1, option);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null)) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            List<String> shell =
                    List.of("bash", "-c", "exec 5<>/dev/tcp/127.0.0.1/" + port + "; exec \"$@\" <&5 >&5", "bash");
            Process process = new ProcessBuilder(
                            Stream.concat(shell.stream(), command.stream()).toList())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (SocketChannel channel = listener.accept()) {
                assertThat(channel.write(Pair.bytes("ping"))).isEqualTo(4);
                assertThat(Pair.read(channel, 5)).isEqualTo("ping!");
                assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(process.waitFor()).isZero();
        }
    }

    /** Answers what the inherited channel brings, and ends. */
    static final class Inetd {
        private Inetd() {}

        public static void main(String[] arguments) throws IOException {
            try (SocketChannel channel = (SocketChannel) System.inheritedChannel()) {
                if (channel != System.inheritedChannel() || !channel.isConnected() || !channel.isBlocking()) {
                    throw new AssertionError(channel);
                }
                String text = Pair.read(channel, 4);
                channel.write(Pair.bytes(text + "!"));
            }
        }
    }

    /** Tries to install the sockets, and tells what that throws. */
    static final class Installs {
        private Installs() {}

        @SuppressWarnings("deprecation") // as programs do
        public static void main(String[] arguments) throws IOException {
            System.setProperty("socksProxyHost", "localhost");
            install();
            System.clearProperty("socksProxyHost");
            System.setProperty(Rules.PROPERTY, "rdam *; tcp *");
            install();
            System.clearProperty(Rules.PROPERTY);
            try (Socket socket = new Socket()) {
                System.out.println("the JDK's socket: " + RdmaSockets.isOverRdma(socket));
            }
            Socket.setSocketImplFactory(() -> new ChannelImpl<NetworkChannel>(null));
            install();
        }

        private static void install() {
            try {
                System.out.println(RdmaSockets.install());
            } catch (IOException | IllegalStateException | IllegalArgumentException e) {
                System.out.println(e);
            }
        }
    }

    /** Opens a channel and tells what that throws. */
    static final class FirstChannel {
        private FirstChannel() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocketChannel channel = ServerSocketChannel.open()) {
                System.out.println(channel);
            } catch (IllegalArgumentException e) {
                System.out.println(e);
            }
        }
    }

    /** Uses one part of the JDK after the other. */
    static final class Users {
        /** What is called from elsewhere. */
        interface Called extends Remote {
            String call() throws RemoteException;
        }

        private static final class Callee implements Called {
            @Override
            public String call() {
                return "called";
            }
        }

        private Users() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(
                    "provider " + SelectorProvider.provider().getClass().getName());
            System.out.println("inherited " + System.inheritedChannel());
            RdmaSelectorProvider sockets = arguments.length == 0 ? null : RdmaSockets.install();
            resolve();
            http();
            rmi();
            jmx();
            System.out.println(sockets);
            System.exit(0); // RMI has threads that go on
        }

        @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // it is a user too, and takes a Hashtable
        private static void resolve() throws IOException, NamingException {
            try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                Thread thread = new Thread(() -> answer(server));
                thread.setDaemon(true);
                thread.start();
                Hashtable<String, String> environment = new Hashtable<>();
                environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
                environment.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + server.getLocalPort());
                System.out.println("JNDI "
                        + new InitialDirContext(environment)
                                .getAttributes("name.example", new String[] {"TXT"})
                                .get("TXT"));
            }
        }

        /** Answers a question about a name with a text. */
        private static void answer(DatagramSocket server) {
            byte[] text = "the answer".getBytes(StandardCharsets.US_ASCII);
            try {
                DatagramPacket packet = new DatagramPacket(new byte[512], 512);
                server.receive(packet);
                ByteBuffer reply = ByteBuffer.allocate(600).put(packet.getData(), 0, packet.getLength());
                reply.putShort(2, (short) 0x8180).putShort(6, (short) 1).putShort(10, (short) 0);
                int question = 12;
                while (reply.get(question) != 0) {
                    question += reply.get(question) + 1;
                }
                reply.position(question + 5)
                        .putShort((short) 0xc00c)
                        .putShort((short) 16)
                        .putShort((short) 1);
                reply.putInt(60)
                        .putShort((short) (text.length + 1))
                        .put((byte) text.length)
                        .put(text);
                server.send(new DatagramPacket(reply.array(), reply.position(), packet.getSocketAddress()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void http() throws IOException, InterruptedException {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, 5);
                exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
                exchange.close();
            });
            server.start();
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + server.getAddress().getPort() + "/"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            System.out.println("HTTP " + response.statusCode() + " " + response.body());
            server.stop(0);
        }

        private static void rmi() throws Exception {
            Registry registry = LocateRegistry.createRegistry(0);
            Callee callee = new Callee();
            registry.rebind("callee", UnicastRemoteObject.exportObject(callee, 0));
            System.out.println("RMI " + ((Called) registry.lookup("callee")).call());
        }

        @SuppressWarnings("BanJNDI") // of this very program
        private static void jmx() throws Exception {
            JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                    new JMXServiceURL("service:jmx:rmi://"), null, ManagementFactory.getPlatformMBeanServer());
            server.start();
            try (JMXConnector connector = JMXConnectorFactory.connect(server.getAddress())) {
                System.out.println("JMX "
                        + ManagementFactory.newPlatformMXBeanProxy(
                                        connector.getMBeanServerConnection(),
                                        ManagementFactory.RUNTIME_MXBEAN_NAME,
                                        java.lang.management.RuntimeMXBean.class)
                                .getSpecVersion());
            }
            try (DatagramChannel channel = DatagramChannel.open()) {
                System.out.println("datagrams " + channel.getClass().getSimpleName());
            }
        }
    }
}
