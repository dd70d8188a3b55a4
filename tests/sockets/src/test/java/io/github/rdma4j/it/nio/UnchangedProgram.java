// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.spi.SelectorProvider;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.security.NoSuchAlgorithmException;
import java.security.Security;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A program that knows the JDK only: what the JDK does with plain sockets, at the address that is its argument. */
final class UnchangedProgram {
    private static final int LARGE = 1 << 20;
    private static final String PROTOCOL = "TLSv1.2";

    /** Of TLS without certificates. */
    private static final String[] SUITE = {"TLS_ECDH_anon_WITH_AES_128_CBC_SHA"};

    /** RMI does not keep it. */
    private static final Called CALLEE = new Callee();

    private UnchangedProgram() {}

    /** What is called from elsewhere. */
    public interface Called extends Remote {
        /** Returns the bytes, one higher. */
        byte[] call(byte[] bytes) throws RemoteException;
    }

    private static final class Callee implements Called {
        @Override
        public byte[] call(byte[] bytes) {
            return raised(bytes);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String host = arguments[0];
        System.setProperty("java.rmi.server.hostname", host);
        Security.setProperty("jdk.tls.disabledAlgorithms", "");
        rmi(host);
        http(host);
        tls(InetAddress.getByName(host));
        System.out.println("provider " + SelectorProvider.provider());
        System.exit(0); // RMI has threads that go on
    }

    private static byte[] raised(byte[] bytes) {
        byte[] raised = bytes.clone();
        for (int i = 0; i < raised.length; i++) {
            raised[i]++;
        }
        return raised;
    }

    private static byte[] bytes() {
        byte[] bytes = new byte[LARGE];
        new Random(9).nextBytes(bytes);
        return bytes;
    }

    private static void check(String what, byte[] answer) {
        System.out.println(what + (Arrays.equals(answer, raised(bytes())) ? " equal" : " wrong"));
    }

    private static void rmi(String host) throws Exception {
        Registry registry = LocateRegistry.createRegistry(0);
        int port = Integer.parseInt(registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
        registry.rebind("callee", UnicastRemoteObject.exportObject(CALLEE, 0));
        Called callee = (Called) LocateRegistry.getRegistry(host, port).lookup("callee");
        check("RMI", callee.call(bytes()));
    }

    private static void http(String host) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = raised(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        for (int i = 0; i < 3; i++) {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://" + host + ":" + server.getAddress().getPort() + "/" + i)
                            .toURL()
                            .openConnection();
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(bytes());
            }
            try (InputStream in = connection.getInputStream()) {
                check("HTTP", in.readAllBytes());
            }
        }
        server.stop(0);
    }

    private static void tls(InetAddress host) throws IOException, InterruptedException, NoSuchAlgorithmException {
        SSLContext context = SSLContext.getDefault();
        try (ServerSocket listener = context.getServerSocketFactory().createServerSocket(0, 1, host)) {
            ((SSLServerSocket) listener).setEnabledCipherSuites(SUITE);
            ((SSLServerSocket) listener).setEnabledProtocols(new String[] {PROTOCOL});
            Thread server = new Thread(() -> answer(listener));
            server.start();
            // Over a socket that was connected before, as JDBC drivers do.
            Socket plain = new Socket(host, listener.getLocalPort());
            try (SSLSocket socket = (SSLSocket)
                    context.getSocketFactory().createSocket(plain, host.getHostAddress(), plain.getPort(), true)) {
                socket.setEnabledCipherSuites(SUITE);
                socket.setEnabledProtocols(new String[] {PROTOCOL});
                socket.getOutputStream().write(bytes());
                check("TLS", socket.getInputStream().readNBytes(LARGE));
            }
            server.join();
        }
    }

    private static void answer(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.getOutputStream().write(raised(socket.getInputStream().readNBytes(LARGE)));
        } catch (IOException e) {
            System.out.println("TLS " + e);
        }
    }
}
