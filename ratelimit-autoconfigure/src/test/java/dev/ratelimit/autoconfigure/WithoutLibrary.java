package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;

import org.springframework.boot.test.context.FilteredClassLoader;

/**
 * Loads the classes of the library anew and hides packages from them, so that they are
 * linked as they are where those packages are not there.
 */
final class WithoutLibrary extends FilteredClassLoader {

	WithoutLibrary(String... packages) {
		super(packages);
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("dev.ratelimit.")) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (stream == null) {
				throw new ClassNotFoundException(name);
			}
			byte[] bytes = stream.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

}
