// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * The byte streams between a User Mode Linux guest and the launcher: each is a connected socket of the host, which the
 * kernel's process has inherited, and a device in the guest, /dev/rdma4j-NAME. It stands in for virtio-serial, which User Mode Linux does not have. Its own
 * serial lines read byte by byte through a host's system call each, lose input when they are throttled, and pass what
 * they carry through a terminal.
 *
 * A device may be opened any number of times; its connection lasts as long as the guest. Writes may be short, as to a pipe.
 *
 * Besides, it takes the file system of the host's files away when all of them are mounted.
 */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <irq_kern.h>
#include <os.h>

/* The kernel asks again at this interval should the host's signal have been lost. */
#define RETRY (HZ / 10)
#define SIZE (64 * 1024)

static int descriptors[4];
module_param_array(descriptors, int, NULL, 0);
MODULE_PARM_DESC(descriptors, "the launcher's sockets: control, standard input, output and error");

struct port {
	struct miscdevice device;
	int fd;
	wait_queue_head_t readers, writers;
	struct mutex reading, writing;
	u8 *in, *out;
	int start, end;
	/* The host had no more input, or took no more output, when it was last asked. */
	bool empty, full;
	bool hung_up;
};

static struct port ports[] = {
	{ .device.name = "rdma4j-control" },
	{ .device.name = "rdma4j-stdin" },
	{ .device.name = "rdma4j-stdout" },
	{ .device.name = "rdma4j-stderr" },
};

static struct port *port_of(struct file *file)
{
	return container_of(file->private_data, struct port, device);
}

static irqreturn_t on_readable(int irq, void *data)
{
	struct port *port = data;

	WRITE_ONCE(port->empty, false);
	wake_up_interruptible(&port->readers);
	return IRQ_HANDLED;
}

static irqreturn_t on_writable(int irq, void *data)
{
	struct port *port = data;

	WRITE_ONCE(port->full, false);
	wake_up_interruptible(&port->writers);
	return IRQ_HANDLED;
}

/* Called with the lock of the readers; the flag is set before the host is asked, so no signal in between is lost. */
static void fill(struct port *port)
{
	int got;

	if (port->start < port->end || port->hung_up)
		return;
	WRITE_ONCE(port->empty, true);
	got = os_read_file(port->fd, port->in, SIZE);
	if (got > 0) {
		port->start = 0;
		port->end = got;
		WRITE_ONCE(port->empty, false);
	} else if (got == -EINTR) {
		WRITE_ONCE(port->empty, false);
	} else if (got != -EAGAIN) {
		port->hung_up = true;
	}
}

static ssize_t port_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct port *port = port_of(file);
	ssize_t result;

	if (mutex_lock_interruptible(&port->reading))
		return -ERESTARTSYS;
	for (fill(port); port->start == port->end && !port->hung_up; fill(port)) {
		if (file->f_flags & O_NONBLOCK) {
			result = -EAGAIN;
			goto out;
		}
		if (wait_event_interruptible_timeout(port->readers, !READ_ONCE(port->empty), RETRY) < 0) {
			result = -ERESTARTSYS;
			goto out;
		}
	}
	result = min_t(size_t, count, port->end - port->start);
	if (copy_to_user(to, port->in + port->start, result))
		result = -EFAULT;
	else
		port->start += result;
out:
	mutex_unlock(&port->reading);
	return result;
}

static ssize_t port_write(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	struct port *port = port_of(file);
	ssize_t result;

	count = min_t(size_t, count, SIZE);
	if (mutex_lock_interruptible(&port->writing))
		return -ERESTARTSYS;
	if (copy_from_user(port->out, from, count)) {
		result = -EFAULT;
		goto out;
	}
	while (1) {
		WRITE_ONCE(port->full, true);
		result = os_write_file(port->fd, port->out, count);
		if (result >= 0)
			WRITE_ONCE(port->full, false);
		if (result == -EINTR)
			continue;
		if (result != -EAGAIN || file->f_flags & O_NONBLOCK)
			break;
		if (wait_event_interruptible_timeout(port->writers, !READ_ONCE(port->full), RETRY) < 0) {
			result = -ERESTARTSYS;
			break;
		}
	}
out:
	mutex_unlock(&port->writing);
	return result;
}

static __poll_t port_poll(struct file *file, poll_table *table)
{
	struct port *port = port_of(file);
	__poll_t ready = 0;

	poll_wait(file, &port->readers, table);
	poll_wait(file, &port->writers, table);
	mutex_lock(&port->reading);
	if (!READ_ONCE(port->empty))
		fill(port);
	if (port->start < port->end || port->hung_up)
		ready |= EPOLLIN | EPOLLRDNORM;
	mutex_unlock(&port->reading);
	if (!READ_ONCE(port->full))
		ready |= EPOLLOUT | EPOLLWRNORM;
	return ready;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = port_read,
	.write = port_write,
	.poll = port_poll,
};

static int connect(struct port *port, int fd)
{
	int irq;

	port->fd = fd;
	port->in = kmalloc(SIZE, GFP_KERNEL);
	port->out = kmalloc(SIZE, GFP_KERNEL);
	if (!port->in || !port->out)
		return -ENOMEM;
	os_set_exec_close(port->fd);
	init_waitqueue_head(&port->readers);
	init_waitqueue_head(&port->writers);
	mutex_init(&port->reading);
	mutex_init(&port->writing);
	irq = um_request_irq(UM_IRQ_ALLOC, port->fd, IRQ_READ, on_readable, 0, port->device.name, port);
	if (irq < 0)
		return irq;
	irq = um_request_irq(UM_IRQ_ALLOC, port->fd, IRQ_WRITE, on_writable, 0, port->device.name, port);
	if (irq < 0)
		return irq;
	port->device.minor = MISC_DYNAMIC_MINOR;
	port->device.fops = &operations;
	port->device.mode = 0600;
	return misc_register(&port->device);
}

/* From now on nobody mounts another directory of the host. What is mounted stays. */
static int seal(const char *value, const struct kernel_param *param)
{
	static bool sealed;

	return xchg(&sealed, true) ? 0 : unregister_filesystem(get_fs_type("hostfs"));
}

static const struct kernel_param_ops sealing = { .set = seal };
module_param_cb(seal, &sealing, NULL, 0200);
MODULE_PARM_DESC(seal, "written to when all directories of the host are mounted");

/* The module is never unloaded: what a failure leaves behind goes with the guest. */
static int __init start(void)
{
	int i, error = 0;

	for (i = 0; i < ARRAY_SIZE(ports) && !error; i++) {
		error = connect(&ports[i], descriptors[i]);
		if (error)
			pr_err("%s on descriptor %d: error %d\n", ports[i].device.name, descriptors[i], error);
	}
	return error;
}
module_init(start);

MODULE_DESCRIPTION("Streams between a guest and the launcher of rdma4j's testbed");
MODULE_LICENSE("GPL");
